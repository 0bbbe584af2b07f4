// `platformctl tokens …`

import type { CommandSpec } from "../command.ts";

export const registrationTokens: CommandSpec[] = [
  {
    name: "tokens create",
    summary: "Create a registration token; it is shown this once",
    options: [
      { flags: "--name <name>", summary: "what it is for" },
      { flags: "--expires <duration>", summary: "such as 24h, or never (default: the server's)" },
    ],
    output: true,
    target: true,
    examples: ["tokens create --name edge-7 --expires 1h", "tokens create -o json | jq -r .token"],
    run: async () => (await import("../commands/registration-tokens.ts")).createToken,
  },
];
