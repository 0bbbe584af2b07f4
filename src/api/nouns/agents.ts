import { agentStatuses } from "../../domain/fleet/agents.ts";
import type { agents as routes } from "../agents.ts";
import type { NounTexts } from "../contract/noun.ts";

export const agents = {
  one: "agent",
  summary: "Registered agents",
  lead: "Programs that run next to your services and connect them to this server.",
  code: "code",
  name: "name",
  about: "status",
  columns: [
    { name: "code", of: "code", kind: "key" },
    { name: "status", of: "status", kind: "state" },
    { name: "why", of: { cell: "agentTrouble" }, kind: "cause", label: "Reason" },
    { name: "last seen", of: "lastHeartbeatAt", kind: "time" },
    { name: "services", of: "serviceCount" },
    { name: "mode", of: "mode" },
    { name: "version", of: "version" },
    { name: "id", of: "id", kind: "key", wide: true },
    { name: "name", of: "name", wide: "terminal" },
    { name: "registered", of: "registeredAt", kind: "time", wide: true },
    { name: "token", of: { cell: "tokenState" }, wide: true },
    { name: "labels", of: { cell: "labels" }, wide: "terminal" },
    { name: "clock", of: { cell: "clock" }, wide: true },
    { name: "features", of: { cell: "features" }, wide: true },
  ],
  details: [
    { name: "token", of: { cell: "tokenState" } },
    { name: "disabled", of: "disabledAt", kind: "time" },
  ],
  facts: ["why", "last seen", "version"],
  empty: "No agents. Invite one: platformctl tokens create",
  emptyPage:
    "No agent has registered yet. To invite one, an operator creates a registration token for it.",
  filters: {
    tokenState: { flag: "token" },
    label: { hint: "key:value" },
    q: { hint: "Code or name" },
  },
  acts: {
    disable: {
      happens: [
        "The server refuses the agent's calls from now on, and ends its long poll.",
        "The agent's services become offline. New commands are refused unless they are queued. Queued commands expire unless you enable the agent in time.",
        "Commands that the agent is running may still finish, but the server refuses their results. A command fails unless you enable the agent before the command's deadline.",
        "The agent cannot come back by registering again. It keeps its token, which works again once you enable it.",
      ],
      done: "{title} is disabled.",
      when: { status: ["ONLINE", "OFFLINE"] },
      danger: true,
    },
    enable: {
      happens: [
        "The server accepts the agent's calls again, with its current token.",
        "Commands that are waiting for the agent and have not expired are delivered and run.",
        "The agent is online immediately if its last call is recent enough (within the offline threshold), otherwise after its next call. An agent that polls every 30 s may need that long.",
      ],
      done: "{title} is enabled.",
      when: { status: ["DISABLED"] },
    },
    "revoke-token": {
      asks: "Revoke the token of {title}? It must then register again.",
      happens: [
        "The agent's token stops working immediately and permanently, and the server ends its long poll.",
        "The agent's services become offline. Commands that the agent is running may still finish, but the server refuses their results until the agent has registered again.",
        "The agent must register again with a new registration token. If it uses the same code, it remains the same agent, with its services and history.",
      ],
      done: "The token of {title} is revoked. The agent must register again.",
      when: { tokenState: ["ACTIVE"] },
      danger: true,
    },
    delete: {
      asks: "Delete {title} with its services and its token? Its commands are kept.",
      refusedWhen: "ONLINE",
      happens: [
        "The agent is deleted, with its token and its services, including their configuration and actions.",
        "Its commands, its bus events and the audit trail are kept, with the codes of the agent and its services. Commands are deleted when their retention period ends.",
        "If the agent starts again, it must register with a new registration token, and becomes a new agent. Bus routes that name one of its services fail until the service is reported again.",
      ],
      done: "{title} is deleted.",
      when: { offlineReason: ["TOKEN_REVOKED", "STOPPED", "SILENT"] },
      danger: true,
    },
  },
  wait: {
    statuses: agentStatuses,
    default: "ONLINE",
  },
  examples: {
    list: [
      "agents list --status OFFLINE",
      "agents list --token REVOKED",
      "agents list -o name",
      "agents list --all -o csv > agents.csv",
    ],
    delete: ["agents delete edge-7 --yes"],
    wait: ["agents wait edge-7 --timeout 2m"],
  },
} as const satisfies NounTexts<typeof routes, "agents">;
