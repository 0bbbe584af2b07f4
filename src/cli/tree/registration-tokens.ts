// `platformctl tokens …`

import { registrationTokenStatuses } from "../../domain/registration-tokens.ts";
import type { ArgumentSpec, CommandSpec } from "../command.ts";
import { pages, requestId, yes } from "./parts.ts";

const token: ArgumentSpec = {
  name: "<token>",
  summary: "id, its beginning, or name",
  completes: "registration-token",
};

export const registrationTokens: CommandSpec[] = [
  {
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
        completes: "agent",
      },
      {
        flags: "--replace",
        summary: "also in the place of an agent that is online with the code; its token ends then",
      },
      requestId,
    ],
    output: true,
    target: true,
    examples: [
      "tokens create --name edge-7 --expires 1h",
      "tokens create --agent 'edge-*'",
      "tokens create --agent edge-7 --replace",
      "tokens create -o json | jq -r .token",
    ],
    run: async () => (await import("../commands/registration-tokens.ts")).createToken,
  },
  {
    name: "tokens list",
    summary: "List registration tokens, newest first",
    options: [
      {
        flags: "--status <status>",
        summary: "ACTIVE, USED, REVOKED or EXPIRED; or several, with commas",
        kind: "several",
        completes: registrationTokenStatuses,
      },
      ...pages,
    ],
    output: true,
    target: true,
    examples: ["tokens list --status ACTIVE"],
    run: async () => (await import("../commands/registration-tokens.ts")).listTokens,
  },
  {
    name: "tokens get",
    summary: "Show a registration token; never its plain text",
    args: [token],
    output: true,
    target: true,
    onlyPrints: true,
    run: async () => (await import("../commands/registration-tokens.ts")).getToken,
  },
  {
    name: "tokens revoke",
    summary: "Revoke a registration token; an agent that it let in stays",
    args: [token],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/registration-tokens.ts")).revokeToken,
  },
  {
    name: "tokens delete",
    summary: "Delete a registration token that is not ACTIVE",
    args: [token],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/registration-tokens.ts")).deleteToken,
  },
];
