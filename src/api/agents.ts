// Agents as operators see them.

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

/** A row of a list. */
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
    .meta({ description: "Why the agent is not ONLINE; null when it is." }),
  tokenState: tokenState.meta({
    description:
      "Whether the agent's calls are let in by a token. REVOKED: it must register again.",
  }),
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
      .meta({ description: "The active token; null when it was revoked." }),
    services: z.array(agentService),
    refusedServices: z
      .array(refusedService)
      .meta({ description: "Services that it reports as its own, and the agents that have them." }),
  }),
);

const agentParams = z.object({ agentId: idParam });

export const agents = defineRoutes({
  "agents.list": {
    method: "GET",
    path: "/api/admin/agents",
    access: "viewer",
    summary: "List agents, newest first",
    query: z.object({
      ...pageQuery,
      status: someOf(agentStatus).meta({ description: "With one of these." }),
      mode: z.string().max(32).optional(),
      tokenState: tokenState.optional(),
      label: labelsQuery.meta({ description: "`key:value`; with all of these." }),
      q: searchQuery,
    }),
    reply: z.array(agentSummary),
    paginated: true,
  },
  "agents.get": {
    method: "GET",
    path: "/api/admin/agents/:agentId",
    access: "viewer",
    summary: "Get an agent with its services and the state of its token",
    params: agentParams,
    reply: agentDetail,
    errors: ["AGENT_NOT_FOUND"],
  },
  "agents.disable": {
    method: "POST",
    path: "/api/admin/agents/:agentId/disable",
    access: "operator",
    summary: "Disable an agent: its calls are refused until it is enabled",
    params: agentParams,
    reply: agentDetail,
    errors: ["AGENT_NOT_FOUND"],
  },
  "agents.enable": {
    method: "POST",
    path: "/api/admin/agents/:agentId/enable",
    access: "operator",
    summary: "Enable a disabled agent; its token works again",
    params: agentParams,
    reply: agentDetail,
    errors: ["AGENT_NOT_FOUND"],
  },
  "agents.revoke-token": {
    method: "POST",
    path: "/api/admin/agents/:agentId/revoke-token",
    access: "operator",
    summary: "Revoke an agent's token: it must register again",
    params: agentParams,
    reply: agentDetail,
    errors: ["AGENT_NOT_FOUND"],
  },
  "agents.delete": {
    method: "DELETE",
    path: "/api/admin/agents/:agentId",
    access: "operator",
    summary: "Delete an OFFLINE agent with its services and tokens; its commands stay",
    params: agentParams,
    reply: named("DeletedAgent", deletedOf("agt")),
    errors: ["AGENT_NOT_FOUND", "AGENT_NOT_OFFLINE", "AGENT_HAS_OPEN_COMMANDS"],
  },
});
