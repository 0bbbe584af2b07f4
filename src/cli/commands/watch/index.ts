import type { CommandSpec } from "../../command.ts";
import { option } from "../../options.ts";

export const watch = (): CommandSpec[] => [
  {
    name: "watch",
    summary: "Watch agents, services, commands and the audit trail live",
    options: [
      option(
        "--types <types>",
        "any of audit, command, agent and service, separated by commas; all by default",
      ),
      option("--once", "show the current state and exit"),
      option(
        "-o, --output <format>",
        "table draws a view on the terminal; json and jsonl print a line for each message",
        { choices: ["table", "json", "jsonl"] },
      ),
    ],
    destination: true,
    examples: ["watch", "watch --types command -o jsonl | jq -r .data.status", "watch --once"],
    onlyPrints: true,
    run: async () => (await import("./watch.ts")).watch,
  },
];
