// The entry of a command in the table, and what its function receives.

import type { NounName } from "../api/contract/nouns.ts";
import type { Client } from "../client/client.ts";
import type { Io } from "./terminal/io.ts";

/** Kinds of names that the server knows: the names of a noun, or some of them. */
export type NameKind =
  | NounName
  /** An action of the service in the previous argument. */
  | "action"
  /** A command that has not finished. */
  | "open-command"
  /** The actor or the target of an audit event. */
  | "actor"
  | "target";

/** What completion offers: names, contexts, fields, words, files, or files after an `@`. */
export type Completes = NameKind | "context" | "agent-field" | readonly string[] | "file" | "@file";

export interface OptionSpec {
  /** In commander's syntax: `--expires <duration>`. */
  flags: string;
  summary: string;
  choices?: string[];
  default?: string | number | boolean;
  /** Text if absent. `several`: can be repeated, and its values separated by commas. */
  kind?: "duration" | "integer" | "limit" | "repeat" | "several";
  completes?: Completes;
}

export interface ArgumentSpec {
  /** `<service>`, or `[service]` if it is optional. */
  name: string;
  summary: string;
  choices?: string[];
  completes?: Completes;
}

export interface CommandSpec {
  /** `agents list` */
  name: string;
  summary: string;
  args?: ArgumentSpec[];
  options?: OptionSpec[];
  /**
   * Prints data, so it accepts `-o` and related flags. `rows`: prints a list, never as YAML in
   * tables.
   */
  output?: true | "rows";
  /** Stops when nobody reads its output. List commands always do this. */
  onlyPrints?: true;
  /** Calls the API, so it accepts `--server` and `--db`. */
  target?: true;
  /** For administrators of the server. Listed first in the help of `platform`. */
  server?: true;
  /** Handles Ctrl-C itself; `signal` never aborts. */
  endsItself?: true;
  hidden?: true;
  /** The words after the program's name. */
  examples?: string[];
  /** Loads the function when the command runs. */
  run: () => Promise<CommandFunction>;
}

/** All commands, and the summaries of the groups by their first word. */
export interface CommandTable {
  commands: readonly CommandSpec[];
  groupSummaries: Readonly<Record<string, string>>;
}

export interface Invocation {
  io: Io;
  /** For commands that describe the command line itself. */
  table: CommandTable;
  args: string[];
  options: Record<string, unknown>;
  /**
   * Connects at the first call. `signal` aborts its calls. It is closed when the command finishes.
   */
  client(): Promise<Client>;
  /** Aborts with Interrupted on Ctrl-C. */
  signal: AbortSignal;
}

/** Returns the exit status (0 if undefined). Throws an error if the command fails. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands just end
export type CommandFunction = (invocation: Invocation) => Promise<number | void>;
