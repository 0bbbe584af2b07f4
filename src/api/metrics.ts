// Operational metrics, as JSON and as Prometheus reads them.

import { z } from "zod";
import { commandStatuses } from "../domain/commands.ts";
import { registrationTokenStatuses } from "../domain/registration-tokens.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, countsOf, milliseconds } from "./contract/schemas.ts";
import { agentCounts, serviceCounts } from "./shapes/statuses.ts";

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

const operational = namedObject("OperationalMetrics", {
  agentCommandPolls: count,
  commandsDispatched: count,
  commandsCompleted: count,
  commandsFailed: count,
  actionPrepareRequested: count,
  actionPrepareTimeouts: count,
  actionPrepareFailures: count,
  oversizedCommandResultsRejected: count,
  staleOnlineAgents: count.meta({
    description: "ONLINE in their row and silent for longer than the offline threshold.",
  }),
});

const bus = namedObject("BusMetrics", {
  eventsReceived: count.meta({ description: "Stored and routed." }),
  eventsDuplicate: count.meta({ description: "Here before: answered, and nothing else." }),
  eventsRejected: count.meta({
    description: "Of an unknown or another agent's service, or too deep.",
  }),
  eventsRateLimited: count,
  commandsCreated: count,
  routesFailed: count.meta({ description: "Matches that came to no command." }),
});

const commandDurations = namedObject("CommandDurations", {
  sampleSize: count,
  p50Ms: milliseconds,
  p95Ms: milliseconds,
  maxMs: milliseconds,
  meanMs: milliseconds,
});

const byStatus = namedObject("MetricsByStatus", {
  agents: agentCounts,
  capsuleServices: serviceCounts.meta({ description: "By stored status." }),
  registrationTokens: named("RegistrationTokenCounts", countsOf(registrationTokenStatuses)),
  commands: named("CommandCounts", countsOf(commandStatuses)),
});

const totals = namedObject("MetricsTotals", {
  users: count,
  agents: count,
  capsuleServices: count,
  registrationTokens: count,
  commands: count,
  auditEvents: count,
});

const metricsReply = namedObject("Metrics", {
  operational: operational.meta({
    description: "Counted since the database was made, but for staleOnlineAgents.",
  }),
  bus: bus.meta({
    description: "Counted since the database was made; all 0 where the bus is off.",
  }),
  commandDurations: commandDurations.meta({
    description: "Of the last 1000 commands that ran and SUCCEEDED or FAILED.",
  }),
  topCommandErrors: z.array(namedObject("CommandErrorCount", { code: z.string(), count })).max(10),
  byStatus,
  totals,
  workspace: namedObject("Workspace", { id: z.string(), name: z.string() }),
});

export const metrics = defineRoutes({
  "metrics.get": {
    method: "GET",
    path: "/api/admin/metrics",
    access: "owner",
    metrics: true,
    summary: "Operational metrics",
    reply: metricsReply,
  },
  "metrics.prometheus": {
    method: "GET",
    path: "/api/admin/metrics/prometheus",
    access: "owner",
    metrics: true,
    summary: "The same numbers, and those of the process, in the text format of Prometheus",
    produces: [prometheusType],
    reply: z.string(),
  },
});
