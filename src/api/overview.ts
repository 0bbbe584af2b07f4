// The state of the whole fleet in few numbers, every service's health, and what became of commands: what
// an operator wants to see first. Each answer is bounded, however much there is.

import { z } from "zod";
import { healthMapServices, overviewCommands } from "../domain/limits.ts";
import { overviewHours } from "../domain/overview.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import {
  choiceOfNumbers,
  count,
  countsOf,
  idOf,
  milliseconds,
  timestamp,
} from "./contract/schemas.ts";
import { agentCounts, agentStatus, serviceCounts, serviceStatus } from "./shapes/statuses.ts";

const serviceCell = namedObject("HealthMapService", {
  id: idOf("svc"),
  code: z.string(),
  name: z.string(),
  status: serviceStatus,
  healthMessage: z
    .string()
    .optional()
    .meta({ description: "What its agent last said of it, where the status is not HEALTHY." }),
});

const agentCells = namedObject("HealthMapAgent", {
  id: idOf("agt"),
  code: z.string(),
  name: z.string().nullable(),
  status: agentStatus,
  services: z.array(serviceCell).meta({ description: "By code." }),
});

const bucket = namedObject("CommandHistoryBucket", {
  at: timestamp.meta({ description: "Where it begins." }),
  succeeded: count,
  failed: count,
  cancelled: count,
  p50Ms: milliseconds,
  p95Ms: milliseconds,
});

export const overview = defineRoutes({
  "overview.get": {
    method: "GET",
    path: "/api/admin/overview",
    access: "viewer",
    summary: "How many agents, services, open commands and open invitations there are",
    reply: namedObject("Overview", {
      at: timestamp,
      agents: agentCounts,
      services: serviceCounts.meta({ description: "By effective status." }),
      commands: named("OpenCommandCounts", countsOf(["PENDING", "RUNNING"])),
      registrationTokens: named("OpenInvitationCounts", countsOf(["ACTIVE"])),
    }),
  },
  "overview.health-map": {
    method: "GET",
    path: "/api/admin/overview/health-map",
    access: "viewer",
    summary: "Every service with its effective status, by agent",
    description: `Agents without a service are not in it. At most ${healthMapServices} services: when there are more, UNHEALTHY ones are chosen first, then STALE, OFFLINE, UNKNOWN and HEALTHY ones.`,
    reply: namedObject("HealthMap", {
      at: timestamp,
      agents: z.array(agentCells).meta({ description: "By code." }),
      total: count.meta({ description: "Of all services." }),
      truncated: z.boolean().meta({ description: "Not all services are in it." }),
    }),
  },
  "overview.commands": {
    method: "GET",
    path: "/api/admin/overview/commands",
    access: "viewer",
    summary: "Executions over time: how they ended, and how long they ran",
    description: `Counted are commands of the type ACTION_EXECUTE by the moment they ended, the latest ${overviewCommands} at most. Durations are of those that an agent took and that SUCCEEDED or FAILED.`,
    query: z.object({
      hours: choiceOfNumbers(overviewHours, 24).meta({ description: "How far back to look." }),
    }),
    reply: namedObject("CommandHistory", {
      from: timestamp.meta({ description: "The beginning of the first bucket." }),
      to: timestamp.meta({ description: "Now; the last bucket is not over." }),
      bucketSeconds: z.int().min(1),
      coveredFrom: timestamp.meta({
        description:
          "From here on nothing is left out: `from`, unless there is more than is counted.",
      }),
      sampleSize: count.meta({ description: "How many commands are counted." }),
      buckets: z
        .array(bucket)
        .meta({ description: "Oldest first, each after the other, also where nothing ended." }),
    }),
  },
});
