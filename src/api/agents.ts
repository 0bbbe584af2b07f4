import { z } from "zod";
import { duplicationShownMs } from "../domain/fleet/agent-instances.ts";
import { agentFeatures, offlineReasons, tokenStates } from "../domain/fleet/agents.ts";
import { defineRoutes } from "./contract/define-routes.ts";
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
import { agentStatus, removedAt, serviceStatus, statusSince } from "./shapes/statuses.ts";

const offlineReason = named("OfflineReason", z.enum(offlineReasons));
const tokenState = named("TokenState", z.enum(tokenStates));

export const agentSummary = namedObject("AgentSummary", {
  id: idOf("agt"),
  code: z.string().describe("The agent's permanent name."),
  name: z.string().nullable().describe("A name for people. Null if the agent reports none."),
  mode: z.string().describe("How the agent runs, such as `embedded` or `sidecar`."),
  runtime: json.nullable().describe("Any JSON, as the agent reported it."),
  version: z.string().nullable().describe("The agent's version, as the agent reports it."),
  labels: z
    .record(z.string(), z.string())
    .describe(
      "The labels in effect. An assigned label replaces a reported label with the same key.",
    ),
  features: z
    .array(named("AgentFeature", z.enum(agentFeatures)))
    .describe(
      "What the agent can do. `plan`: the agent can check that the state is unchanged before it runs an action.",
    ),
  status: agentStatus,
  offlineReason: offlineReason
    .nullable()
    .describe("Why the agent is not ONLINE. Null if it is ONLINE."),
  tokenState: tokenState.describe(
    "Whether the agent has a valid token. If REVOKED, the agent must register again.",
  ),
  lastHeartbeatAt: timestamp
    .nullable()
    .describe("When the agent last called. Null if it has never called."),
  clockSkewMs: z
    .int()
    .nullable()
    .describe(
      "The agent's clock minus the server's clock, in milliseconds, at the last heartbeat " +
        "with a `timestamp`. The difference includes the time that the heartbeat took to " +
        "arrive. Null if unknown.",
    ),
  registeredAt: timestamp.describe("When the agent registered for the first time."),
  updatedAt: timestamp.describe(
    "When the agent last registered, or when its status, its labels or what it reports about " +
      "itself last changed.",
  ),
});

const listedAgent = named(
  "Agent",
  agentSummary.extend({ serviceCount: count.describe("The number of the agent's services.") }),
);

const agentService = namedObject("AgentService", {
  id: idOf("svc"),
  code: z.string().describe("The service's permanent name."),
  name: z.string().describe("A name for people."),
  version: z.string().describe("The service's version, as the agent reports it."),
  status: serviceStatus,
  statusSince,
  removedAt,
});

const refusedService = namedObject("RefusedService", {
  serviceId: idOf("svc").describe("The service that the agent reports."),
  serviceCode: z.string(),
  agentId: idOf("agt").describe("The agent that owns the service."),
  agentCode: z.string(),
  since: timestamp.describe("When the server first refused the service."),
});

const agentDetail = named(
  "AgentDetail",
  listedAgent.extend({
    labelSources,
    disabledAt: timestamp.nullable().describe("Null unless the agent is DISABLED."),
    token: namedObject("AgentToken", {
      id: idOf("atk"),
      createdAt: timestamp.describe("When the agent got the token, at its last registration."),
    })
      .nullable()
      .describe("The active token. Null if the agent has none."),
    services: z
      .array(agentService)
      .describe("The agent's services, including those that are marked as removed."),
    refusedServices: z
      .array(refusedService)
      .describe("Services that this agent reports although they belong to other agents."),
    duplicatedAt: timestamp
      .nullable()
      .describe(
        "When two programs last used the agent's token at the same time. Null if that was more " +
          `than ${duplicationShownMs / 60_000} minutes ago, or never.`,
      ),
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
        "Only agents with this label, as `key:value`. If given several times, only agents " +
          "with all of these labels.",
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
