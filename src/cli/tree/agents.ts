// `platformctl agents …`

import { agentStatuses, tokenStates } from "../../domain/agents.ts";
import type { CommandSpec } from "../command.ts";
import { agent, pages, timeout, yes } from "./parts.ts";

export const agents: CommandSpec[] = [
  {
    name: "agents list",
    summary: "List agents, newest first",
    options: [
      {
        flags: "--status <status>",
        summary: "ONLINE, OFFLINE or DISABLED; or several, with commas",
        kind: "several",
        completes: agentStatuses,
      },
      {
        flags: "--token <state>",
        summary: "ACTIVE, REVOKED or NONE: whether a token lets it in",
        completes: tokenStates,
      },
      { flags: "--mode <mode>", summary: "such as sidecar" },
      {
        flags: "--label <key:value>",
        summary: "with this label; repeated, with all of them",
        kind: "repeat",
      },
      { flags: "-q, --search <text>", summary: "in code and name" },
      ...pages,
    ],
    output: "rows",
    target: true,
    examples: [
      "agents list --status OFFLINE",
      "agents list --token REVOKED",
      "agents list -o name",
    ],
    run: async () => (await import("../commands/agents.ts")).listAgents,
  },
  {
    name: "agents get",
    summary: "Show an agent with its services",
    args: [agent],
    output: true,
    target: true,
    onlyPrints: true,
    run: async () => (await import("../commands/agents.ts")).getAgent,
  },
  {
    name: "agents disable",
    summary: "Refuse an agent's calls until it is enabled",
    args: [agent],
    output: true,
    target: true,
    run: async () => (await import("../commands/agents.ts")).disableAgent,
  },
  {
    name: "agents enable",
    summary: "Let a disabled agent work again",
    args: [agent],
    output: true,
    target: true,
    run: async () => (await import("../commands/agents.ts")).enableAgent,
  },
  {
    name: "agents revoke-token",
    summary: "Revoke an agent's token: it must register again",
    args: [agent],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/agents.ts")).revokeAgentToken,
  },
  {
    name: "agents delete",
    summary: "Delete an agent that is OFFLINE, with its services and tokens",
    args: [agent],
    options: [yes],
    output: true,
    target: true,
    examples: ["agents delete edge-7 --yes"],
    run: async () => (await import("../commands/agents.ts")).deleteAgent,
  },
  {
    name: "agents wait",
    summary: "Wait until an agent is there and ONLINE, or in another state",
    args: [agent],
    options: [
      {
        flags: "--for <status>",
        summary: "ONLINE, OFFLINE or DISABLED",
        default: "ONLINE",
        completes: agentStatuses,
      },
      timeout,
    ],
    output: true,
    target: true,
    examples: ["agents wait edge-7 --timeout 2m"],
    run: async () => (await import("../commands/waits.ts")).waitForAgent,
  },
];
