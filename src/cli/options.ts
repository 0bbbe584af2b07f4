// Arguments and options of several commands.

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
/** Of lists with pages. */
export const page: OptionSpec[] = [
  { flags: "--limit <count>", summary: "rows to show, 1 to 200", kind: "limit", default: 20 },
  { flags: "--page <number>", summary: "which page of them", kind: "integer", default: 1 },
];

/** Of lists that are too long to count. */
export const before: OptionSpec = {
  flags: "--before <place>",
  summary: "continue after a page, at the place that it printed",
};

/** Of commands that can print all pages. */
export const pages: OptionSpec[] = [
  ...page,
  { flags: "--all", summary: "every row, without --limit and --page" },
];

/** Of commands that wait. */
export const timeout: OptionSpec = {
  flags: "--timeout <duration>",
  summary: "how long to wait; then exit status 8",
  kind: "duration",
  default: 60,
};

/** Of commands that run an action. */
export const queue: OptionSpec = { flags: "--queue", summary: "also for an agent that is offline" };
export const detach: OptionSpec = { flags: "--detach", summary: "do not wait for the result" };

/** Of commands that create something. */
export const requestId: OptionSpec = {
  flags: "--request-id <id>",
  summary: "your own id: repeating it within 24 hours creates nothing twice",
};

/** An option whose value is a file; completion offers files. */
export function fileOption(flags: string, summary: string): OptionSpec {
  return { flags, summary, completes: "file" };
}

/** A command that calls the API and prints what it returns. */
export const callsApi = { output: true, target: true } as const;

/** Of commands that ask for confirmation. */
export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };

/** Of commands with a target. */
export const targetOptions: OptionSpec[] = [
  { flags: "--server <url>", summary: "work through a server (PLATFORM_URL)" },
  {
    flags: "--db <file>",
    summary: "work on the database file itself (PLATFORM_DB)",
    completes: "file",
  },
  {
    flags: "--context <name>",
    summary: "work where you have signed in under this name (PLATFORM_CONTEXT)",
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

/** All options of a command, its own first. */
export function optionsOf(spec: CommandSpec): OptionSpec[] {
  return [
    ...(spec.options ?? []),
    ...(spec.output ? outputOptions : []),
    ...(spec.target ? targetOptions : []),
  ];
}
