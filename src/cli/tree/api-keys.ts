// `platformctl api-keys …`

import type { CommandSpec } from "../command.ts";

export const apiKeys: CommandSpec[] = [
  {
    name: "api-keys create",
    summary: "Create an API key for scripts; it is shown this once",
    options: [
      { flags: "--name <name>", summary: "what it is for", default: "platformctl" },
      {
        flags: "--role <role>",
        summary: "what it may do",
        choices: ["owner", "operator", "viewer"],
        default: "operator",
      },
      { flags: "--expires <duration>", summary: "such as 90d (default: never)", kind: "duration" },
    ],
    output: true,
    target: true,
    examples: ["api-keys create --name ci --role operator --db data/platform.db -o json"],
    run: async () => (await import("../commands/api-keys.ts")).createApiKey,
  },
];
