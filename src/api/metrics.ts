// Operational metrics, as JSON and as Prometheus reads them.

import { z } from "zod";
import { agentStatuses } from "../domain/agents.ts";
import { commandStatuses } from "../domain/commands.ts";
import { registrationTokenStatuses } from "../domain/registration-tokens.ts";
import { effectiveStatuses } from "../domain/services.ts";
import { defineRoutes } from "./contract/route.ts";
import { count, countsOf, milliseconds } from "./contract/schemas.ts";

export const prometheusType = "text/plain; version=0.0.4; charset=utf-8";

const metricsReply = z.object({
  operational: z
    .object({
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
    })
    .meta({ description: "Counted since the database was made, but for staleOnlineAgents." }),
  bus: z
    .object({
      eventsReceived: count.meta({ description: "Stored and routed." }),
      eventsDuplicate: count.meta({ description: "Here before: answered, and nothing else." }),
      eventsRejected: count.meta({
        description: "Of an unknown or another agent's service, or too deep.",
      }),
      eventsRateLimited: count,
      commandsCreated: count,
      routesFailed: count.meta({ description: "Matches that came to no command." }),
    })
    .meta({ description: "Counted since the database was made; all 0 where the bus is off." }),
  commandDurations: z
    .object({
      sampleSize: count,
      p50Ms: milliseconds,
      p95Ms: milliseconds,
      maxMs: milliseconds,
      meanMs: milliseconds,
    })
    .meta({ description: "Of the last 1000 commands that ran and SUCCEEDED or FAILED." }),
  topCommandErrors: z.array(z.object({ code: z.string(), count })).max(10),
  byStatus: z.object({
    agents: countsOf(agentStatuses),
    capsuleServices: countsOf(effectiveStatuses).meta({ description: "By stored status." }),
    registrationTokens: countsOf(registrationTokenStatuses),
    commands: countsOf(commandStatuses),
  }),
  totals: z.object({
    users: count,
    agents: count,
    capsuleServices: count,
    registrationTokens: count,
    commands: count,
    auditEvents: count,
  }),
  workspace: z.object({ id: z.string(), name: z.string() }),
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
