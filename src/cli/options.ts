// Arguments and options that several commands share.

import type { Noun } from "../api/contract/noun.ts";
import { type NounName, nouns } from "../api/contract/nouns.ts";
import type { ArgumentSpec, CommandSpec, OptionSpec } from "./command.ts";

/** `<agent>` */
export function argumentFor(name: NounName): ArgumentSpec {
  const { one, code, name: title }: Noun = nouns[name];
  const ways = ["id", "its beginning", ...(code ? [code] : []), ...(title ? ["name"] : [])];
  const last = ways.pop();
  return {
    name: `<${one.split(" ").at(-1)}>`,
    summary: `${ways.join(", ")} or ${last}`,
    completes: name,
  };
}

export const service = argumentFor("services");
export const action: ArgumentSpec = {
  name: "<action>",
  summary: "name of the action",
  completes: "action",
};
/** For lists with pages. */
export const page: OptionSpec[] = [
  { flags: "--limit <count>", summary: "rows to show, 1 to 200", kind: "limit", default: 20 },
  { flags: "--page <number>", summary: "which page of rows", kind: "integer", default: 1 },
];

/** For lists that are too long to count. */
export const before: OptionSpec = {
  flags: "--before <place>",
  summary: "continue after a page, from the place printed with the page",
};

/** For commands that can print all pages. */
export const pages: OptionSpec[] = [
  ...page,
  { flags: "--all", summary: "show every row, instead of --limit and --page" },
];

/** For commands that wait. */
export const timeout: OptionSpec = {
  flags: "--timeout <duration>",
  summary: "how long to wait before exiting with status 8",
  kind: "duration",
  default: 60,
};

/** For commands that run an action. */
export const queue: OptionSpec = {
  flags: "--queue",
  summary: "run the command later if the agent is offline",
};
export const detach: OptionSpec = { flags: "--detach", summary: "do not wait for the result" };

/** For commands that create something. */
export const requestId: OptionSpec = {
  flags: "--request-id <id>",
  summary: "your own id for the request; repeating it within 24 hours creates nothing twice",
};

/** An option whose value is a file. Completion offers files. */
export function fileOption(flags: string, summary: string): OptionSpec {
  return { flags, summary, completes: "file" };
}

/** A command that calls the API and prints the response. */
export const callsApi = { output: true, target: true } as const;

/** For commands that ask for confirmation. */
export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };

/** For commands with a target. */
export const targetOptions: OptionSpec[] = [
  { flags: "--server <url>", summary: "work through a server (PLATFORM_URL)" },
  {
    flags: "--db <file>",
    summary: "work on the database file itself (PLATFORM_DB)",
    completes: "file",
  },
  {
    flags: "--context <name>",
    summary: "work on the server of this context (PLATFORM_CONTEXT)",
    completes: "context",
  },
  {
    flags: "--ca-file <file>",
    summary: "trust this CA certificate (PLATFORM_CA_FILE)",
    completes: "file",
  },
  { flags: "--debug", summary: "print each request on stderr, without secrets" },
];

export const outputOptions: OptionSpec[] = [
  {
    flags: "-o, --output <format>",
    summary: "how to print",
    choices: ["table", "wide", "json", "jsonl", "yaml", "name"],
  },
  { flags: "--no-headers", summary: "without column heads" },
  { flags: "--columns <names>", summary: "which columns, separated by commas" },
];

/** Returns all options of a command, its own options first. */
export function optionsOf(spec: CommandSpec): OptionSpec[] {
  return [
    ...(spec.options ?? []),
    ...(spec.output ? outputOptions : []),
    ...(spec.target ? targetOptions : []),
  ];
}
