import { z } from "zod";
import { agentFeatures, agentStatuses, offlineReasons, tokenStates } from "../domain/agents.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { defineNoun } from "./contract/noun.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  codedIds,
  count,
  deletedOf,
  idOf,
  json,
  labelsQuery,
  pageQuery,
  searchQuery,
  selectorQuery,
  someOf,
  sortQuery,
  timestamp,
} from "./contract/schemas.ts";
import { changeLabels, labelSources } from "./shapes/label-schemas.ts";
import { agentStatus, serviceStatus, statusSince } from "./shapes/statuses.ts";

const offlineReason = named("OfflineReason", z.enum(offlineReasons));
const tokenState = named("TokenState", z.enum(tokenStates));

export const agentSummary = namedObject("AgentSummary", {
  id: idOf("agt"),
  code: z.string(),
  name: z.string().nullable(),
  mode: z.string(),
  runtime: json.nullable(),
  version: z.string().nullable(),
  labels: z
    .record(z.string(), z.string())
    .describe("The labels that count: assigned ones, then reported ones."),
  features: z
    .array(named("AgentFeature", z.enum(agentFeatures)))
    .describe(
      "What the agent can do. `plan`: it can run an action only if the state is unchanged.",
    ),
  status: agentStatus,
  offlineReason: offlineReason
    .nullable()
    .describe("Why the agent is not ONLINE. Null if it is ONLINE."),
  tokenState: tokenState.describe(
    "Whether the agent has a valid token. If REVOKED, the agent must register again.",
  ),
  lastHeartbeatAt: timestamp.nullable(),
  registeredAt: timestamp,
  updatedAt: timestamp,
});

const listedAgent = named(
  "Agent",
  agentSummary.extend({ serviceCount: count.describe("The number of the agent's services.") }),
);

const agentService = namedObject("AgentService", {
  id: idOf("svc"),
  code: z.string(),
  name: z.string(),
  version: z.string(),
  status: serviceStatus,
  statusSince,
});

const refusedService = namedObject("RefusedService", {
  serviceId: idOf("svc"),
  serviceCode: z.string(),
  agentId: idOf("agt"),
  agentCode: z.string(),
  since: timestamp,
});

const agentDetail = named(
  "AgentDetail",
  listedAgent.extend({
    labelSources,
    disabledAt: timestamp.nullable(),
    token: namedObject("AgentToken", { id: idOf("atk"), createdAt: timestamp })
      .nullable()
      .describe("The active token. Null if it was revoked."),
    services: z.array(agentService),
    refusedServices: z
      .array(refusedService)
      .describe("Services that the agent reports but that belong to other agents."),
  }),
);

const one = {
  params: z.object({ agentId: codedIds.agentId }),
  errors: ["AGENT_NOT_FOUND"],
} as const;
const act = { ...one, method: "POST", access: "operator", reply: agentDetail } as const;

export const agents = defineRoutes({
  "agents.list": {
    method: "GET",
    path: "/api/admin/agents",
    access: "viewer",
    summary: "List agents, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["code", "name", "mode", "version", "lastHeartbeatAt", "registeredAt"]),
      status: someOf(agentStatus),
      mode: z.string().max(32).optional().describe("Only agents in this mode, such as `sidecar`."),
      tokenState: tokenState.optional().describe("Only agents whose token is in this state."),
      selector: selectorQuery,
      label: labelsQuery.describe(
        "Only agents with this label. Repeat it to require several labels.",
      ),
      q: searchQuery,
    }),
    reply: z.array(listedAgent),
    paginated: true,
  },
  "agents.get": {
    ...one,
    method: "GET",
    path: "/api/admin/agents/:agentId",
    access: "viewer",
    summary: "Get an agent with its services and the state of its token",
    reply: agentDetail,
  },
  "agents.disable": {
    ...act,
    path: "/api/admin/agents/:agentId/disable",
    summary: "Disable an agent: its requests are refused until it is enabled",
  },
  "agents.enable": {
    ...act,
    path: "/api/admin/agents/:agentId/enable",
    summary: "Enable a disabled agent; its token works again",
  },
  "agents.revoke-token": {
    ...act,
    path: "/api/admin/agents/:agentId/revoke-token",
    summary: "Revoke an agent's token; the agent must register again",
  },
  "agents.label": {
    ...act,
    method: "PATCH",
    path: "/api/admin/agents/:agentId/labels",
    access: "owner",
    summary: "Assign labels to an agent, or remove assigned ones",
    body: changeLabels,
  },
  "agents.delete": {
    ...one,
    method: "DELETE",
    path: "/api/admin/agents/:agentId",
    access: "operator",
    summary: "Delete an OFFLINE agent with its services and tokens, but not its commands",
    reply: named("DeletedAgent", deletedOf("agt")),
    errors: ["AGENT_NOT_FOUND", "AGENT_NOT_OFFLINE", "AGENT_HAS_OPEN_COMMANDS"],
  },
});

export const agentNoun = defineNoun("agents", agents, {
  one: "agent",
  summary: "Registered agents",
  lead: "Programs that run next to your services and connect them to this server.",
  prefix: "agt",
  code: "code",
  name: "name",
  about: "status",
  columns: [
    { name: "code", of: "code", kind: "key" },
    { name: "status", of: "status", kind: "state" },
    { name: "why", of: { cell: "offlineReason" }, label: "Reason" },
    { name: "last seen", of: "lastHeartbeatAt", kind: "time" },
    { name: "services", of: "serviceCount" },
    { name: "mode", of: "mode" },
    { name: "version", of: "version" },
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "name", of: "name", wide: "terminal" },
    { name: "registered", of: "registeredAt", kind: "time", wide: true },
    { name: "token", of: { cell: "tokenState" }, wide: true },
    { name: "labels", of: { cell: "labels" }, wide: "terminal" },
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
        "The agent's services become OFFLINE. New commands are refused unless they are queued. Queued commands expire unless you enable the agent in time.",
        "Commands that the agent is running may still finish, but the server refuses their results. A command ends as FAILED unless you enable the agent before the command's deadline.",
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
        "The agent is ONLINE immediately if its last call is recent enough (within the offline threshold), otherwise after its next call. An agent that polls every 30 s may need that long.",
      ],
      done: "{title} is enabled.",
      when: { status: ["DISABLED"] },
    },
    "revoke-token": {
      asks: "Revoke the token of {title}? It must then register again.",
      happens: [
        "The agent's token stops working immediately and permanently, and the server ends its long poll.",
        "The agent's services become OFFLINE. Commands that the agent is running may still finish, but the server refuses their results until the agent has registered again.",
        "The agent must register again with a new registration token. If it uses the same code, it remains the same agent, with its services and history.",
      ],
      done: "The token of {title} is revoked. The agent must register again.",
      when: { tokenState: ["ACTIVE"] },
      danger: true,
    },
    delete: {
      asks: "Delete {title} with its services and its token? Its commands are kept.",
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
    news: ["lastHeartbeatAt"],
    lasting: ["OFFLINE", "DISABLED"],
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
});
