// `platformctl api-keys …`

import type { CommandSpec } from "../command.ts";
import { pages, requestId, yes } from "./parts.ts";

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
      {
        flags: "--expires <when>",
        summary: "such as 90d, 2026-12-31, or never (default: never)",
      },
      requestId,
    ],
    output: true,
    target: true,
    examples: ["api-keys create --name ci --role operator --db data/platform.db -o json"],
    run: async () => (await import("../commands/api-keys.ts")).createApiKey,
  },
  {
    name: "api-keys list",
    summary: "List API keys, newest first; never their plain text",
    options: pages,
    output: true,
    target: true,
    run: async () => (await import("../commands/api-keys.ts")).listApiKeys,
  },
  {
    name: "api-keys revoke",
    summary: "Revoke an API key: the next call with it is refused",
    args: [{ name: "<key>", summary: "id, its beginning, or name", completes: "api-key" }],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/api-keys.ts")).revokeApiKey,
  },
];
