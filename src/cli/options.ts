// Arguments and options of several commands.

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

/** Of commands that create something. */
export const requestId: OptionSpec = {
  flags: "--request-id <id>",
  summary: "your own id: repeating it within 24 hours creates nothing twice",
};

/** Of commands that ask for confirmation. */
export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };
