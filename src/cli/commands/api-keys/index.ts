// `platformctl api-keys …`

import { keyRoles } from "../../../domain/principals.ts";
import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { callsApi, requestId } from "../../options.ts";

const create: CommandSpec = {
  name: "api-keys create",
  summary: "Create an API key for scripts; it is shown this once",
  options: [
    { flags: "--name <name>", summary: "what it is for", default: "platformctl" },
    {
      flags: "--role <role>",
      summary: "what it may do; asked for on a terminal",
      choices: [...keyRoles],
    },
    {
      flags: "--expires <when>",
      summary: "such as 90d, 2026-12-31, or never (default: never)",
    },
    requestId,
  ],
  ...callsApi,
  examples: [
    "api-keys create --name ci --role operator --expires 90d",
    "api-keys create --name prometheus --role metrics",
    "api-keys create --name ci --role operator --db data/platform.db -o json",
  ],
  run: async () => (await import("./create.ts")).createApiKey,
};

export const apiKeys: CommandSpec[] = commandsOf("api-keys", { own: [create] });
