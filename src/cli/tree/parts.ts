// Arguments and options that several commands have.

import type { ArgumentSpec, OptionSpec } from "../command.ts";

export const service: ArgumentSpec = {
  name: "<service>",
  summary: "id, its beginning, code or name",
};
export const agent: ArgumentSpec = { name: "<agent>", summary: "id, its beginning, code or name" };
export const action: ArgumentSpec = { name: "<action>", summary: "name of the action" };
export const command: ArgumentSpec = { name: "<command>", summary: "id, or its beginning" };

/** Of every list that comes in pages. */
export const page: OptionSpec[] = [
  { flags: "--limit <count>", summary: "rows to show, 1 to 200", kind: "limit", default: 20 },
  { flags: "--page <number>", summary: "which page of them", kind: "integer", default: 1 },
];

/** The same, where the command can take all pages. */
export const pages: OptionSpec[] = [
  ...page,
  { flags: "--all", summary: "every row, whatever --limit and --page say" },
];

/** Of every command that asks before it acts. */
export const yes: OptionSpec = { flags: "-y, --yes", summary: "do not ask" };
