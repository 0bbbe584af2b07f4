import type { CommandSpec } from "../../command.ts";

export const watch: CommandSpec[] = [
  {
    name: "watch",
    summary: "Watch commands, agents and the audit trail live",
    options: [
      {
        flags: "--types <types>",
        summary: "any of audit, command, agent and service, separated by commas; all by default",
      },
      { flags: "--once", summary: "show the current state and exit" },
      {
        flags: "-o, --output <format>",
        summary: "table draws a view on the terminal; json and jsonl print a line for each message",
        choices: ["table", "json", "jsonl"],
      },
    ],
    target: true,
    examples: ["watch", "watch --types command -o jsonl | jq -r .data.status", "watch --once"],
    onlyPrints: true,
    run: async () => (await import("./watch.ts")).watch,
  },
];
