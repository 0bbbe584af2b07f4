// What somebody who looks for a fault wants to know first.

import { z } from "zod";
import { limitNames } from "../domain/limits.ts";
import { defineRoutes } from "./contract/route.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, countsOf, timestamp } from "./contract/schemas.ts";

const usage = namedObject("LimitUsage", { used: count, allowed: count });

const memory = namedObject("ProcessMemory", {
  residentBytes: count,
  heapTotalBytes: count,
  heapUsedBytes: count,
  externalBytes: count,
});

const service = namedObject("RunningService", {
  version: z.string(),
  edition: z.string(),
  commit: z.string().optional(),
  buildTime: z.string().optional(),
  contractVersion: z.string(),
});

const runningProcess = namedObject("RunningProcess", {
  pid: z.int(),
  node: z.string(),
  os: z.string(),
  arch: z.string(),
  uptimeSeconds: count,
  cpuSeconds: z.number(),
  memory,
});

const migration = namedObject("AppliedMigration", {
  version: z.int(),
  name: z.string(),
  appliedAt: timestamp,
});

const database = namedObject("DatabaseFile", {
  engine: z.string(),
  version: z.string(),
  fileName: z.string().meta({ description: "Without its folder." }),
  sizeBytes: count,
  walBytes: count.meta({ description: "Written ahead of the file itself." }),
  pageCount: count,
  pageSizeBytes: count,
  freePages: count,
  migrations: z.array(migration),
});

const queues = namedObject("Queues", {
  writes: count.meta({ description: "Arrived and not durable yet." }),
  heldPolls: count,
  waitingReaders: count.meta({ description: "Wait for the end of a command." }),
  passwordsRunning: count,
  passwordsWaiting: count,
  oneTimeSecrets: count.meta({ description: "Kept until somebody asks for them." }),
});

const limitsInUse = namedObject("LimitsInUse", {
  connections: usage,
  pendingBodyBytes: usage,
  pendingOutputBytes: usage,
});

const clientLimits = namedObject("ClientLimits", {
  connectionsPerAddress: count.nullable(),
  requestsPerSecond: count.nullable().meta({ description: "With one credential; 0: no limit." }),
  stalledOutputSeconds: z.number().nullable().meta({
    description: "A connection of which nothing is read for so long is closed.",
  }),
});

const limits = namedObject("Limits", {
  inUse: limitsInUse.meta({ description: "Nothing where no server runs." }),
  perClient: clientLimits.meta({
    description: "What is allowed to one; null where no server runs.",
  }),
  reached: named("LimitsReached", countsOf(limitNames)).meta({
    description: "How often each limit was reached since the start.",
  }),
});

const eventLoopDelay = namedObject("EventLoopDelay", {
  p50Ms: z.number(),
  p99Ms: z.number(),
  maxMs: z.number(),
  count: count.meta({ description: "Measurements since the start." }),
  sumMs: z.number(),
});

const clock = namedObject("Clock", {
  now: timestamp,
  startedAt: timestamp,
  wallClockMovedMs: z.int().meta({
    description: "How far the wall clock was set, or has drifted, since the start.",
  }),
});

const configuration = namedObject("EffectiveConfiguration", {
  workspaceName: z.string(),
  agentOfflineThresholdSeconds: z.number(),
  agentSuppressAfterSeconds: z.number(),
  serviceStaleThresholdSeconds: z.number(),
  agentHeartbeatIntervalSeconds: z.number(),
  agentReportIntervalSeconds: z.number(),
  commandTtlSeconds: z.number(),
  registrationTokenTtlSeconds: z.number(),
  sessionTtlSeconds: z.number(),
  maxServicesPerAgent: z.number(),
  metricsMaxSeries: z.number(),
  maintenanceIntervalSeconds: z.number(),
  auditRetentionDays: z.number(),
  busEventRetentionDays: z.number(),
  commandRetentionDays: z.number(),
  silentRetentionDays: z.number(),
});

const report = namedObject("Diagnostics", {
  service,
  process: runningProcess,
  database,
  queues,
  limits,
  eventLoopDelay: eventLoopDelay
    .nullable()
    .meta({ description: "Of the last minutes; null where no server runs." }),
  clock,
  configuration,
});

export const diagnostics = defineRoutes({
  "diagnostics.get": {
    method: "GET",
    path: "/api/admin/diagnostics",
    access: "viewer",
    summary: "Versions, sizes, queues, delays, clocks and configuration, without secrets",
    reply: report,
  },
});
