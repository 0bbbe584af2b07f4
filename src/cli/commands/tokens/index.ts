// `platformctl tokens …`

import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { callsApi, requestId } from "../../options.ts";

const create: CommandSpec = {
  name: "tokens create",
  summary: "Create a registration token; it is shown this once",
  options: [
    { flags: "--name <name>", summary: "what it is for" },
    {
      flags: "--expires <when>",
      summary: "such as 24h, 2026-12-31, or never (default: the server's)",
    },
    {
      flags: "--agent <code>",
      summary: "only for this agent, or with a * at the end for those that begin so",
      completes: "agents",
    },
    {
      flags: "--replace",
      summary: "also in the place of an agent that is online with the code; its token ends then",
    },
    requestId,
  ],
  ...callsApi,
  examples: [
    "tokens create --name edge-7 --expires 1h",
    "tokens create --agent 'edge-*'",
    "tokens create --agent edge-7 --replace",
    "tokens create -o json | jq -r .token",
  ],
  run: async () => (await import("./create.ts")).createToken,
};

export const tokens: CommandSpec[] = commandsOf("registration-tokens", { own: [create] });
