// `platformctl api-keys …`

import { apiKeyStatuses } from "../../domain/api-keys.ts";
import { keyRoles } from "../../domain/principals.ts";
import type { ArgumentSpec, CommandSpec } from "../command.ts";
import { pages, requestId, yes } from "./parts.ts";

const key: ArgumentSpec = {
  name: "<key>",
  summary: "id, its beginning, or name",
  completes: "api-key",
};

export const apiKeys: CommandSpec[] = [
  {
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
    output: true,
    target: true,
    examples: [
      "api-keys create --name ci --role operator --expires 90d",
      "api-keys create --name prometheus --role metrics",
      "api-keys create --name ci --role operator --db data/platform.db -o json",
    ],
    run: async () => (await import("../commands/api-keys.ts")).createApiKey,
  },
  {
    name: "api-keys list",
    summary: "List API keys, newest first; never their plain text",
    options: [
      {
        flags: "--status <status>",
        summary: "ACTIVE, EXPIRED or REVOKED; or several, with commas",
        kind: "several",
        completes: apiKeyStatuses,
      },
      { flags: "--user <user>", summary: "that belong to this user", completes: "user" },
      ...pages,
    ],
    output: true,
    target: true,
    run: async () => (await import("../commands/api-keys.ts")).listApiKeys,
  },
  {
    name: "api-keys get",
    summary: "Show an API key; never its plain text",
    args: [key],
    output: true,
    target: true,
    onlyPrints: true,
    run: async () => (await import("../commands/api-keys.ts")).getApiKey,
  },
  {
    name: "api-keys revoke",
    summary: "Revoke an API key: the next call with it is refused",
    args: [key],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/api-keys.ts")).revokeApiKey,
  },
  {
    name: "api-keys delete",
    summary: "Delete an API key that is not ACTIVE",
    args: [key],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/api-keys.ts")).deleteApiKey,
  },
];
