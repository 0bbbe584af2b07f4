import { z } from "zod";
import type { LimitName } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
import { count, idOf, timestamp } from "./contract/schemas.ts";

const usage = namedObject("LimitUsage", {
  used: count.describe("How much is in use now."),
  allowed: count.describe("The limit."),
});

const memory = namedObject("ProcessMemory", {
  residentBytes: count.describe("The memory of the process that is in RAM."),
  heapTotalBytes: count.describe("The size of the JavaScript heap."),
  heapUsedBytes: count.describe("The part of the JavaScript heap that is in use."),
  externalBytes: count.describe("Memory outside the heap that JavaScript objects use."),
});

const service = namedObject("RunningService", {
  version: z.string().describe("The version of the running program."),
  edition: z.string().describe("Always `ce`."),
  commit: z.string().optional().describe("The commit from which the program was built."),
  buildTime: z.string().optional().describe("When the program was built."),
  contractVersion: z.string().describe("The version of the API."),
});

const runningProcess = namedObject("RunningProcess", {
  pid: z.int().describe("The id of the process in the operating system."),
  node: z.string().describe("The version of Node.js."),
  os: z.string().describe("The operating system, such as `linux`."),
  arch: z.string().describe("The processor architecture, such as `x64`."),
  uptimeSeconds: count.describe("How many seconds ago the program was started."),
  cpuSeconds: z.number().describe("The CPU time that the process has used, in seconds."),
  memory,
});

const migration = namedObject("AppliedMigration", {
  version: z.int().describe("The number of the migration."),
  name: z.string(),
  appliedAt: timestamp.describe("When the migration changed this database."),
});

const database = namedObject("DatabaseFile", {
  engine: z.string().describe("`sqlite` or `postgresql`."),
  version: z.string().describe("The version of SQLite or PostgreSQL."),
  fileName: z
    .string()
    .describe(
      "The name of the database file, without its path. On PostgreSQL, the database's name.",
    ),
  sizeBytes: count.describe("The size of the database, without the write-ahead log."),
  walBytes: count.describe("The size of the write-ahead log. 0 on PostgreSQL."),
  diskFreeBytes: count
    .optional()
    .describe("How many bytes the server can still write to the disk. Absent on PostgreSQL."),
  walHeldSince: timestamp
    .optional()
    .describe(
      "When the write-ahead log grew beyond 256 MiB because another process is reading an " +
        "old state of the database. Absent if the log has not grown for this reason.",
    ),
  pageCount: count.describe("The number of pages in the database."),
  pageSizeBytes: count.describe("The size of a page."),
  freePages: count.describe("The number of unused pages. 0 on PostgreSQL."),
  migrations: z
    .array(migration)
    .describe("The migrations that were applied to the database, oldest first."),
});

const cluster = namedObject("Cluster", {
  nodeId: idOf("nod").nullable().describe("The id of this node. Null if no server is running."),
  isLeader: z.boolean().describe("Whether this node runs the jobs of the cluster."),
  nodes: count.describe("The number of nodes that were seen in the last 15 seconds."),
});

const queues = namedObject("Queues", {
  writes: count.describe("How many writes are not durable yet."),
  heldPolls: count.describe("How many agents are waiting for a command."),
  waitingReaders: count.describe(
    "How many calls are waiting for a command to end, for its output, or for a request for approval to end.",
  ),
  passwordsRunning: count.describe("How many passwords are being hashed."),
  passwordsWaiting: count.describe("How many passwords are waiting to be hashed."),
  oneTimeSecrets: count.describe("How many generated secrets no operator has fetched yet."),
});

const limitsInUse = namedObject("LimitsInUse", {
  connections: usage.describe("Open connections."),
  pendingBodyBytes: usage.describe(
    "Memory for the bodies of requests that are still being handled.",
  ),
  pendingOutputBytes: usage.describe("Memory for responses that clients have not read yet."),
});

const clientLimits = namedObject("ClientLimits", {
  connectionsPerAddress: count
    .nullable()
    .describe(
      "How many connections an address can have at the same time. Null if no server is running.",
    ),
  requestsPerSecond: count.nullable().describe("The limit for each credential; 0 means no limit."),
  stalledOutputSeconds: z
    .number()
    .nullable()
    .describe("How many seconds a client can go without reading before its connection is closed."),
});

const limitsReached = namedObject("LimitsReached", {
  connections: count.describe("Connections that were refused because the server had too many."),
  connectionsPerAddress: count.describe(
    "Connections that were refused because their address had too many.",
  ),
  idleConnections: count.describe("Idle connections that were closed to make room for new ones."),
  pipelinedRequests: count.describe(
    "Connections that were closed because the client sent too many requests without waiting for a response.",
  ),
  stalledOutput: count.describe(
    "Connections that were closed because the client did not read from them for too long.",
  ),
  pendingOutput: count.describe(
    "Connections that were closed because unread responses used too much memory.",
  ),
  pendingBodies: count.describe("Requests that were refused because bodies used too much memory."),
  requestsPerCredential: count.describe(
    "Requests that were refused because a credential made too many per second.",
  ),
  failedRegistrations: count.describe(
    "Registrations that were refused because too many had failed.",
  ),
  streams: count.describe("Live streams that were refused because too many were open."),
  heavyCalls: count.describe(
    "Calls that were refused because a credential made too many expensive calls or downloads at the same time.",
  ),
  commandOutput: count.describe(
    "Calls with command output that were refused because there were too many of them.",
  ),
  logLines: count.describe("Log lines that were dropped because they were written too fast."),
} satisfies Record<LimitName, z.ZodType>);

const limits = namedObject("Limits", {
  inUse: limitsInUse.describe(
    "How much of each limit is in use. All values are 0 if no server is running.",
  ),
  perClient: clientLimits.describe(
    "The limits for each client. All of them are null if no server is running.",
  ),
  reached: limitsReached.describe("How often each limit has been reached since the start."),
});

const eventLoopDelay = namedObject("EventLoopDelay", {
  p50Ms: z.number().describe("Half of the delays were at most this long."),
  p99Ms: z.number().describe("99% of the delays were at most this long."),
  maxMs: z.number().describe("The longest delay."),
  count: count.describe("The number of measurements since the start."),
  sumMs: z.number().describe("The sum of these measurements."),
});

const clock = namedObject("Clock", {
  now: timestamp.describe("The current time of the server's clock."),
  startedAt: timestamp.describe("When the server started."),
  wallClockMovedMs: z
    .int()
    .describe(
      "How far the wall clock has moved since `startedAt` because it was set or drifts, in ms.",
    ),
});

const configuration = named(
  "EffectiveConfiguration",
  z
    .object({
      workspaceName: z.string(),
      agentOfflineThresholdSeconds: z
        .number()
        .describe("An agent is OFFLINE if it has not called for this long."),
      agentSuppressAfterSeconds: z
        .number()
        .describe(
          "The services of an agent are OFFLINE if the agent has not called for this long.",
        ),
      serviceStaleThresholdSeconds: z
        .number()
        .describe("A service is STALE if it has not been reported for this long."),
      agentHeartbeatIntervalSeconds: z
        .number()
        .describe("How often an agent should send heartbeats."),
      agentReportIntervalSeconds: z
        .number()
        .describe("A quarter of `serviceStaleThresholdSeconds`."),
      commandTtlSeconds: z
        .number()
        .describe("A command expires if its agent has not fetched it within this time."),
      registrationTokenTtlSeconds: z
        .number()
        .describe("How long a registration token is valid by default. 0 means forever."),
      sessionTtlSeconds: z.number().describe("A session ends if it is not used for this long."),
      maxServicesPerAgent: z.number().describe("How many services an agent can have."),
      metricsMaxSeries: z
        .number()
        .describe("How many services, and how many agents, the Prometheus metrics can list."),
      maintenanceIntervalSeconds: z
        .number()
        .describe("The interval of the maintenance sweep, in seconds."),
      auditRetentionDays: z.number(),
      busEventRetentionDays: z.number(),
      commandRetentionDays: z.number(),
      silentRetentionDays: z.number(),
      serviceHistoryRetentionDays: z.number(),
      operatorLabels: z.array(z.string()),
    })
    .describe(
      "The settings in effect. Most of them have a variable with a similar name, such as " +
        "`PLATFORM_COMMAND_TTL_SECONDS` for `commandTtlSeconds`.",
    ),
);

const report = namedObject("Diagnostics", {
  service,
  process: runningProcess,
  database,
  cluster: cluster.nullable().describe("The servers that share the database. Null on SQLite."),
  queues,
  limits,
  eventLoopDelay: eventLoopDelay
    .nullable()
    .describe(
      "The delays of the event loop in the last few minutes. Null if no server is running.",
    ),
  clock,
  configuration: configuration.describe("The settings in effect."),
});

export const diagnostics = defineRoutes({
  "diagnostics.get": {
    method: "GET",
    path: "/api/admin/diagnostics",
    access: "viewer",
    summary: "Get versions, sizes, queues, delays, clocks and configuration, without secrets",
    reply: report,
  },
});
