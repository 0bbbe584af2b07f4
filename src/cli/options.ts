// Arguments and options that several commands share.

import type { Noun } from "../api/contract/noun.ts";
import { type NounName, nouns } from "../api/contract/nouns.ts";
import type { ArgumentSpec, CommandSpec, OptionSpec } from "./command.ts";

export function argumentFor(name: NounName): ArgumentSpec {
  const { one, code, name: title }: Noun = nouns[name];
  const ways = ["id", "short id", ...(code ? [code] : []), ...(title ? ["name"] : [])];
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

export const hiddenActions: OptionSpec = {
  flags: "--hidden",
  summary: "also list hidden actions, which are offered only in results",
};

export const page: OptionSpec[] = [
  { flags: "--limit <count>", summary: "rows to show, 1 to 200", kind: "limit", default: 100 },
  { flags: "--page <number>", summary: "page to show", kind: "integer", default: 1 },
];

/** For lists that are too long to count. */
export const before: OptionSpec = {
  flags: "--before <place>",
  summary: "continue at the cursor that the previous page printed",
};

export const pages: OptionSpec[] = [
  ...page,
  { flags: "--all", summary: "show every row, instead of --limit and --page" },
];

/** For lists that can have saved views. */
export const view: OptionSpec = {
  flags: "--view <view>",
  summary: "use this saved view; other flags override it",
  completes: "view",
};

export const timeout: OptionSpec = {
  flags: "--timeout <duration>",
  summary: "how long to wait before exiting with status 8",
  kind: "duration",
  default: 60,
};

/** For waits that depend on people, or on many services. */
export const dayTimeout: OptionSpec = { ...timeout, default: 24 * 3600 };

/**
 * The default of `runTimeout`. By default, a wait for approval lasts until the request expires, and
 * is not part of this time.
 */
export const runSeconds = 60;
export const runTimeout: OptionSpec = {
  flags: "--timeout <duration>",
  summary:
    "how long to wait before exiting with status 8 (default: 1m; for approval, until the " +
    "request expires)",
  kind: "duration",
};

export const waitForApproval: OptionSpec = {
  flags: "--wait",
  summary: "also wait for approval, if a policy requires it",
};

export const breakGlass: OptionSpec = {
  flags: "--break-glass <why>",
  summary: "skip the approval that a policy requires (owners only; recorded in the audit trail)",
};

export const queue: OptionSpec = {
  flags: "--queue",
  summary: "run the command later if the agent is offline",
};
export const detach: OptionSpec = { flags: "--detach", summary: "do not wait for the result" };

export const requestId: OptionSpec = {
  flags: "--request-id <id>",
  summary: "your own id for the request; repeating the request within 24 hours creates nothing new",
};

export function option(
  flags: string,
  summary: string,
  more: Omit<OptionSpec, "flags" | "summary"> = {},
): OptionSpec {
  return { flags, summary, ...more };
}

export function fileOption(flags: string, summary: string): OptionSpec {
  return option(flags, summary, { completes: "file" });
}

export const callsApi = { output: true, destination: true } as const;
/** For commands that print the result of an action. */
export const printsAction = { ...callsApi, raw: true } as const;

export const payload: OptionSpec[] = [
  option("--set <key=value>", "set a field of the payload; repeatable", { kind: "repeat" }),
  option("--payload <json>", "the whole payload: JSON, @file, or - for stdin", {
    completes: "@file",
  }),
];

export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask for confirmation" };

export const destinationOptions: OptionSpec[] = [
  { flags: "--server <url>", summary: "work through a server (PLATFORM_URL)" },
  fileOption(
    "--db <database>",
    "work on the database itself: a file or postgres://… (PLATFORM_DB)",
  ),
  {
    flags: "--context <name>",
    summary: "work on the server of this context (PLATFORM_CONTEXT)",
    completes: "context",
  },
  fileOption("--ca-file <file>", "trust this CA certificate (PLATFORM_CA_FILE)"),
  { flags: "--debug", summary: "print each request on stderr, without secrets" },
];

const formats = ["table", "wide", "json", "jsonl", "yaml", "name"];

/** Describes the output of commands that accept different formats together. */
export function outputOptionsOf(specs: readonly Pick<CommandSpec, "csv" | "raw">[]): OptionSpec[] {
  const hasCsv = specs.some(({ csv }) => csv);
  const hasRaw = specs.some(({ raw }) => raw);
  const summary = [
    "output format",
    ...(hasCsv ? ["csv for lists only"] : []),
    ...(hasRaw ? ["output prints only what the action writes"] : []),
  ];
  const choices = [...formats, ...(hasCsv ? ["csv"] : []), ...(hasRaw ? ["output"] : [])];
  return [
    { flags: "-o, --output <format>", summary: summary.join("; "), choices },
    { flags: "--no-headers", summary: "omit the column heads" },
    { flags: "--columns <names>", summary: "columns to print, separated by commas" },
  ];
}

export function optionsOf(spec: CommandSpec): OptionSpec[] {
  return [
    ...(spec.options ?? []),
    ...(spec.output ? outputOptionsOf([spec]) : []),
    ...(spec.destination ? destinationOptions : []),
  ];
}
