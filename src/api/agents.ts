// Agents as operators see them.

import { z } from "zod";
import { agentStatuses, offlineReasons, tokenStates } from "../domain/agents.ts";
import { effectiveStatuses } from "../domain/services.ts";
import { defineRoutes } from "./contract/route.ts";
import {
  idOf,
  idParam,
  json,
  labelsQuery,
  pageQuery,
  searchQuery,
  someOf,
  timestamp,
} from "./contract/schemas.ts";

export const agentSummary = z.object({
  id: idOf("agt"),
  code: z.string(),
  name: z.string().nullable(),
  mode: z.string(),
  runtime: json.nullable(),
  version: z.string().nullable(),
  labels: z.record(z.string(), z.string()),
  status: z.enum(agentStatuses),
  offlineReason: z
    .enum(offlineReasons)
    .nullable()
    .meta({ description: "Why the agent is not ONLINE; null when it is." }),
  tokenState: z.enum(tokenStates).meta({
    description:
      "Whether the agent's calls are let in by a token. REVOKED: it must register again.",
  }),
  lastHeartbeatAt: timestamp.nullable(),
  registeredAt: timestamp,
  updatedAt: timestamp,
});

const agentDetail = agentSummary.extend({
  disabledAt: timestamp.nullable(),
  token: z
    .object({ id: idOf("atk"), createdAt: timestamp })
    .nullable()
    .meta({ description: "The active token; null when it was revoked." }),
  services: z.array(
    z.object({
      id: idOf("svc"),
      code: z.string(),
      name: z.string(),
      version: z.string(),
      status: z.enum(effectiveStatuses),
    }),
  ),
  refusedServices: z
    .array(
      z.object({
        serviceId: idOf("svc"),
        serviceCode: z.string(),
        agentId: idOf("agt"),
        agentCode: z.string(),
        since: timestamp,
      }),
    )
    .meta({ description: "Services that it reports as its own, and the agents that have them." }),
});

const agentParams = z.object({ agentId: idParam });

export const agents = defineRoutes({
  "agents.list": {
    method: "GET",
    path: "/api/admin/agents",
    access: "viewer",
    summary: "List agents, newest first",
    query: z.object({
      ...pageQuery,
      status: someOf(agentStatuses).meta({ description: "With one of these." }),
      mode: z.string().max(32).optional(),
      tokenState: z.enum(tokenStates).optional(),
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
    reply: z.object({ id: idOf("agt"), deleted: z.literal(true) }),
    errors: ["AGENT_NOT_FOUND", "AGENT_NOT_OFFLINE", "AGENT_HAS_OPEN_COMMANDS"],
  },
});
