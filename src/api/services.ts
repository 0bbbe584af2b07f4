// Managed services and their actions, as operators see them.

import { z } from "zod";
import { dangerLevels, effectiveStatuses } from "../domain/services.ts";
import { defineRoutes } from "./contract/route.ts";
import {
  idOf,
  idParam,
  json,
  jsonObject,
  pageQuery,
  searchQuery,
  someOf,
  timestamp,
} from "./contract/schemas.ts";

const status = z.enum(effectiveStatuses);

export const serviceSummary = z.object({
  id: idOf("svc"),
  code: z.string(),
  name: z.string(),
  version: z.string(),
  description: z.string().nullable(),
  agentId: idOf("agt"),
  agentCode: z.string(),
  status,
  storedStatus: status,
  healthStatus: z.string().nullable(),
  healthMessage: z.string().nullable(),
  healthChangedAt: timestamp.nullable(),
  lastReportedAt: timestamp,
  updatedAt: timestamp,
});

export const action = z.object({
  name: z.string(),
  label: z.string(),
  description: z.string(),
  dangerLevel: z.enum(dangerLevels),
  requiresConfirmation: z.boolean(),
  timeoutSeconds: z.int().nullable(),
  inputSchema: jsonObject,
  prepare: z.boolean().meta({
    description:
      "Whether the agent is asked for the form; else `inputSchema` and its defaults are it.",
  }),
});

const config = z.object({
  key: z.string(),
  label: z.string().optional(),
  type: z.string(),
  source: z.string().optional(),
  editable: z.boolean(),
  sensitive: z.boolean(),
  valuePreview: json.optional(),
  defaultValue: json.optional(),
  secretRef: z.string().optional(),
});

const serviceDetail = serviceSummary.extend({
  runtime: json.nullable(),
  healthDetails: json.nullable(),
  manifest: json.nullable(),
  configs: z.array(config),
  actions: z.array(action),
  createdAt: timestamp,
  claims: z
    .array(z.object({ agentId: idOf("agt"), agentCode: z.string(), since: timestamp }))
    .meta({ description: "Other agents that report the service as theirs, and are refused." }),
});

const serviceParams = z.object({ serviceId: idParam });

export const services = defineRoutes({
  "services.list": {
    method: "GET",
    path: "/api/admin/capsule-services",
    access: "viewer",
    summary: "List managed services with their effective status",
    query: z.object({
      ...pageQuery,
      status: someOf(effectiveStatuses).meta({ description: "With one of these." }),
      healthStatus: z.string().max(50).optional(),
      agentId: idParam.optional(),
      q: searchQuery,
    }),
    reply: z.array(serviceSummary),
    paginated: true,
  },
  "services.get": {
    method: "GET",
    path: "/api/admin/capsule-services/:serviceId",
    access: "viewer",
    summary: "Get a managed service with its configs, actions and health",
    params: serviceParams,
    reply: serviceDetail,
    errors: ["SERVICE_NOT_FOUND"],
  },
  "services.delete": {
    method: "DELETE",
    path: "/api/admin/capsule-services/:serviceId",
    access: "operator",
    summary: "Delete a service that is OFFLINE or STALE; its commands stay",
    params: serviceParams,
    reply: z.object({ id: idOf("svc"), deleted: z.literal(true) }),
    errors: ["SERVICE_NOT_FOUND", "SERVICE_NOT_OFFLINE", "SERVICE_HAS_OPEN_COMMANDS"],
  },
  "services.move": {
    method: "POST",
    path: "/api/admin/capsule-services/:serviceId/move",
    access: "operator",
    summary: "Give a service to another agent, which must be online",
    description:
      "The new agent's reports of it are taken from now on, the old one's are refused. Commands that " +
      "were made before stay with the old one.",
    params: serviceParams,
    body: z.object({ agentId: idParam }),
    reply: serviceDetail,
    errors: ["SERVICE_NOT_FOUND", "AGENT_NOT_FOUND", "AGENT_OFFLINE", "AGENT_DISABLED"],
  },
});
