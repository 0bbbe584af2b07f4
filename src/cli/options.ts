// Arguments and options that several commands have.

import type { Noun } from "../api/contract/noun.ts";
import { type NounName, nouns } from "../api/contract/nouns.ts";
import type { ArgumentSpec, OptionSpec } from "./command.ts";

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
/** Of every list that comes in pages. */
export const page: OptionSpec[] = [
  { flags: "--limit <count>", summary: "rows to show, 1 to 200", kind: "limit", default: 20 },
  { flags: "--page <number>", summary: "which page of them", kind: "integer", default: 1 },
];

/** Of lists that are too long to be counted. */
export const before: OptionSpec = {
  flags: "--before <place>",
  summary: "go on behind a page, at the place that it named",
};

/** The same, where the command can take all pages. */
export const pages: OptionSpec[] = [
  ...page,
  { flags: "--all", summary: "every row, whatever --limit and --page say" },
];

/** Of every command that waits. */
export const timeout: OptionSpec = {
  flags: "--timeout <duration>",
  summary: "how long to wait; then exit status 8",
  kind: "duration",
  default: 60,
};

/** Of commands that run an action. */
export const queue: OptionSpec = { flags: "--queue", summary: "also for an agent that is offline" };
export const detach: OptionSpec = { flags: "--detach", summary: "do not wait for the result" };

/** Of every command that creates something. */
export const requestId: OptionSpec = {
  flags: "--request-id <id>",
  summary: "an id of your own: repeated with it within 24 hours, nothing is made twice",
};

/** An option whose value is a file; completion offers files. */
export function fileOption(flags: string, summary: string): OptionSpec {
  return { flags, summary, completes: "file" };
}

/** A command that calls the API and prints what it returns. */
export const callsApi = { output: true, target: true } as const;

/** Of every command that asks before it acts. */
export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };
