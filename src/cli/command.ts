// The table of commands: what an entry declares, and what a command's function receives.

import type { NounName } from "../api/contract/nouns.ts";
import type { RouteName } from "../api/index.ts";
import type { Client } from "../client/client.ts";
import type { ConnectOptions } from "./connecting/destination.ts";
import type { OutputOptions } from "./output/output.ts";
import type { Io } from "./terminal/io.ts";

/** Kinds of names that completion gets from the server. */
export type NameKind =
  | NounName
  /** An action of the service in the previous argument. */
  | "action"
  | "open-command"
  /** A saved view of the list that the command prints. */
  | "view"
  /** A request that somebody can approve. */
  | "open-approval"
  /** A role or a user. */
  | "approver"
  /** The actor or the target of an audit event. */
  | "actor"
  | "target";

/** Kinds of names that the program knows without a server. */
export const localKinds = ["agent-field", "doc-page", "error-code"] as const;
export type LocalKind = (typeof localKinds)[number];

/** What completion offers. `@file`: a file after an `@`. */
export type Completes =
  | NameKind
  | "context"
  | LocalKind
  | "timezone"
  | readonly string[]
  | "file"
  | "@file";

export interface OptionSpec {
  /** In commander's syntax: `--expires <duration>`. */
  flags: string;
  summary: string;
  choices?: string[];
  default?: string | number | boolean;
  /** Default: text. `repeat`: repeatable. `several`: repeatable, or values separated by commas. */
  kind?: "duration" | "integer" | "limit" | "repeat" | "several";
  completes?: Completes;
}

export interface ArgumentSpec extends Pick<OptionSpec, "summary" | "choices" | "completes"> {
  /** `<service>`, or `[service]` if it is optional. */
  name: string;
}

export interface CommandSpec {
  /** `agents list` */
  name: string;
  summary: string;
  args?: ArgumentSpec[];
  options?: OptionSpec[];
  /** Accepts `-o` and related flags. `rows`: prints a list, and loads YAML only for `-o yaml`. */
  output?: true | "rows";
  /** The route of the list that the command prints, if it can print CSV. */
  csv?: RouteName;
  /** Prints the result of an action, and with `-o output` only what the action has written. */
  raw?: true;
  /** Stops when nobody reads its output. Commands with `rows` always do this. */
  onlyPrints?: true;
  /** Calls the API, so it accepts `--server` and `--db`. */
  destination?: true;
  /** For administrators of the server. Listed first in the help of `platform`. */
  server?: true;
  /** Handles Ctrl-C itself; `signal` never aborts. */
  endsItself?: true;
  hidden?: true;
  /** The words after the program's name. */
  examples?: string[];
  run: () => Promise<CommandFunction>;
}

export function firstWordOf({ name }: CommandSpec): string {
  return name.split(" ", 1)[0] ?? "";
}

/** The keys of `groupSummaries` are the first words of commands. */
export interface CommandTable {
  commands: readonly CommandSpec[];
  groupSummaries: Readonly<Record<string, string>>;
}

/** The keys are the parser's names of the flags, such as `caFile`. */
export type Options = ConnectOptions & OutputOptions & Record<string, unknown>;

export interface Invocation {
  io: Io;
  /** For commands that describe the command line itself, for example in man pages. */
  table: () => Promise<CommandTable>;
  /** Runs another command in this process. Returns its exit status, and never throws. */
  run(io: Io, words: string[]): Promise<number>;
  args: string[];
  options: Options;
  /** Connects on the first call. The client is closed when the command finishes. */
  client(): Promise<Client>;
  /** Aborts with Interrupted on Ctrl-C. */
  signal: AbortSignal;
}

/** Returns the exit status; undefined means 0. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands just end
export type CommandFunction = (invocation: Invocation) => Promise<number | void>;
