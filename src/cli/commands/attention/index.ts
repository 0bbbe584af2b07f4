import { noteMaxLength } from "../../../domain/limits.ts";
import type { CommandSpec } from "../../command.ts";
import { argumentFor, callsApi, option } from "../../options.ts";

const some = { ...argumentFor("services"), name: "[service...]" };
const group = option(
  "--group <id>",
  "all services of the group with this id (or its beginning), in place of named services",
);
const note = option(
  "--note <text>",
  `a note for other operators, at most ${noteMaxLength} characters`,
);

export const attention = (): CommandSpec[] => [
  {
    name: "attention list",
    summary: "List what is wrong, grouped by reason; the most urgent and largest groups come first",
    options: [
      option("--handled", "also list acknowledged and silenced services"),
      option("--exit-code", "exit with 1 if a problem is neither acknowledged nor silenced"),
    ],
    output: "rows",
    destination: true,
    examples: [
      "attention list",
      "attention list --handled -o json",
      "attention list --exit-code -o name",
    ],
    run: async () => (await import("./list.ts")).listAttention,
  },
  {
    name: "attention acknowledge",
    summary: "Acknowledge the problems of services until the problems change",
    args: [some],
    options: [group, note],
    ...callsApi,
    examples: ["attention acknowledge redis --note 'restarting the host'"],
    run: async () => (await import("./notes.ts")).acknowledge,
  },
  {
    name: "attention silence",
    summary: "Silence services for some time, whatever their status",
    args: [some],
    options: [
      group,
      option("--for <duration>", "how long the silence lasts", {
        choices: ["15m", "1h", "8h", "24h"],
        default: "1h",
      }),
      note,
    ],
    ...callsApi,
    examples: ["attention silence redis web --for 8h --note maintenance"],
    run: async () => (await import("./notes.ts")).silence,
  },
  {
    name: "attention clear",
    summary: "End the acknowledgements and silences of services",
    args: [some],
    options: [group],
    ...callsApi,
    examples: ["attention clear redis"],
    run: async () => (await import("./notes.ts")).clear,
  },
];
