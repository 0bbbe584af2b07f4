// A command: its entry in the table, and the call of its function.

import type { NounName } from "../api/contract/nouns.ts";
import type { Client } from "../client/client.ts";
import type { Io } from "./terminal/io.ts";

/** Names that the server knows: those of a noun, or a part of them. */
export type NameKind =
  | NounName
  /** An action of the service in the previous argument. */
  | "action"
  /** A command that has not ended. */
  | "open-command"
  /** In the audit trail. */
  | "actor"
  | "target";

/** What completion offers: names, contexts, fields, words, a file, or a file after an `@`. */
export type Completes = NameKind | "context" | "agent-field" | readonly string[] | "file" | "@file";

export interface OptionSpec {
  /** In the syntax of commander: `--expires <duration>`. */
  flags: string;
  summary: string;
  choices?: string[];
  default?: string | number | boolean;
  /** Text when absent. `several`: repeated or separated by commas. */
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
  /** Prints data, so it takes `-o` and the like. `rows`: a list, without YAML in tables. */
  output?: true | "rows";
  /** Stops when nobody reads its output. Lists do this anyway. */
  onlyPrints?: true;
  /** Calls the API, so it takes `--server` and `--db`. */
  target?: true;
  /** For administrators of the server. First in the help of `platform`. */
  server?: true;
  /** Handles Ctrl-C itself; `signal` never aborts. */
  endsItself?: true;
  hidden?: true;
  /** Words after the program's name. */
  examples?: string[];
  /** Loads the function when the command runs. */
  run: () => Promise<CommandFunction>;
}

/** Every command, and summaries of the groups by their first word. */
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
  /** Connects at the first call. Calls end with `signal`. Closed when the command ends. */
  client(): Promise<Client>;
  /** Aborts with Interrupted at Ctrl-C. */
  signal: AbortSignal;
}

/** Returns the exit status, by default 0. Throws failures. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands just end
export type CommandFunction = (invocation: Invocation) => Promise<number | void>;
