// What a command is: an entry of the table, and the call of its function.

import type { NounName } from "../api/contract/nouns.ts";
import type { Client } from "../client/client.ts";
import type { Io } from "./terminal/io.ts";

/** Names that the server knows: those of a noun, and some of them. */
export type NameKind =
  | NounName
  /** Of the service that the argument before it names. */
  | "action"
  /** A command that has not ended. */
  | "open-command"
  /** Who did what the audit trail records, and what it was done to. */
  | "actor"
  | "target";

/** What completion offers for a value: names, contexts, fields, these words, a file, or a file behind an `@`. */
export type Completes = NameKind | "context" | "agent-field" | readonly string[] | "file" | "@file";

export interface OptionSpec {
  /** As commander reads them: `--expires <duration>`. */
  flags: string;
  summary: string;
  choices?: string[];
  default?: string | number | boolean;
  /** How the value is read; text when absent. `several`: repeated, or with commas between. */
  kind?: "duration" | "integer" | "limit" | "repeat" | "several";
  completes?: Completes;
}

export interface ArgumentSpec {
  /** `<service>`, or `[service]` when it may be left out. */
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
  /** Prints data: takes `-o` and its friends. `rows`: a list, whose tables have no YAML in them. */
  output?: true | "rows";
  /** Ends when nobody reads what it prints, as every list does: nothing is lost by that. */
  onlyPrints?: true;
  /** Calls the API: takes `--server` and `--db`. */
  target?: true;
  /** For whoever runs the server: shown first under the name `platform`. */
  server?: true;
  /** Has its own way to end on Ctrl-C; `signal` never aborts. */
  endsItself?: true;
  hidden?: true;
  /** Words behind the program's name. */
  examples?: string[];
  /** Loads the function, when the command runs and not before. */
  run: () => Promise<CommandFunction>;
}

/** Every command, and what the groups of commands are for, by their first word. */
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
  /** Connects at the first call. Closed when the command ends; its calls end with `signal`. */
  client(): Promise<Client>;
  /** Aborts with Interrupted at Ctrl-C. */
  signal: AbortSignal;
}

/** Answers the exit status; nothing is 0. Failures are thrown. */
// biome-ignore lint/suspicious/noConfusingVoidType: most commands just end
export type CommandFunction = (invocation: Invocation) => Promise<number | void>;
