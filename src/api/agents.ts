import { z } from "zod";
import { offlineReasons, tokenStates } from "../domain/agents.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  deletedOf,
  idOf,
  idParam,
  json,
  labelsQuery,
  pageQuery,
  searchQuery,
  someOf,
  timestamp,
} from "./contract/schemas.ts";
import { agentStatus, serviceStatus } from "./shapes/statuses.ts";

const offlineReason = named("OfflineReason", z.enum(offlineReasons));
const tokenState = named("TokenState", z.enum(tokenStates));

export const agentSummary = namedObject("Agent", {
  id: idOf("agt"),
  code: z.string(),
  name: z.string().nullable(),
  mode: z.string(),
  runtime: json.nullable(),
  version: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
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

const agentService = namedObject("AgentService", {
  id: idOf("svc"),
  code: z.string(),
  name: z.string(),
  version: z.string(),
  status: serviceStatus,
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
  agentSummary.extend({
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

const one = { params: z.object({ agentId: idParam }), errors: ["AGENT_NOT_FOUND"] } as const;
const act = { ...one, method: "POST", access: "operator", reply: agentDetail } as const;

export const agents = defineRoutes({
  "agents.list": {
    method: "GET",
    path: "/api/admin/agents",
    access: "viewer",
    summary: "List agents, newest first",
    query: z.object({
      ...pageQuery,
      status: someOf(agentStatus),
      mode: z.string().max(32).optional().describe("Only agents in this mode, such as `sidecar`."),
      tokenState: tokenState.optional().describe("Only agents whose token is in this state."),
      label: labelsQuery.describe(
        "Only agents with this label. Repeat it to require several labels.",
      ),
      q: searchQuery,
    }),
    reply: z.array(agentSummary),
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
