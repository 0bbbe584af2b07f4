// Options of every command with a target or with output.

import type { CommandSpec, OptionSpec } from "./command.ts";

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
