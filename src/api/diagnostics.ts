// What somebody who looks for a fault wants to know first.

import { z } from "zod";
import { limitNames } from "../domain/limits.ts";
import { defineRoutes } from "./contract/route.ts";
import { count, countsOf, timestamp } from "./contract/schemas.ts";

const usage = z.object({
  used: count,
  allowed: count,
});

export const diagnostics = defineRoutes({
  "diagnostics.get": {
    method: "GET",
    path: "/api/admin/diagnostics",
    access: "viewer",
    summary: "Versions, sizes, queues, delays, clocks and configuration, without secrets",
    reply: z.object({
      service: z.object({
        version: z.string(),
        edition: z.string(),
        commit: z.string().optional(),
        buildTime: z.string().optional(),
        contractVersion: z.string(),
      }),
      process: z.object({
        pid: z.int(),
        node: z.string(),
        os: z.string(),
        arch: z.string(),
        uptimeSeconds: count,
        cpuSeconds: z.number(),
        memory: z.object({
          residentBytes: count,
          heapTotalBytes: count,
          heapUsedBytes: count,
          externalBytes: count,
        }),
      }),
      database: z.object({
        engine: z.string(),
        version: z.string(),
        fileName: z.string().meta({ description: "Without its folder." }),
        sizeBytes: count,
        walBytes: count.meta({ description: "Written ahead of the file itself." }),
        pageCount: count,
        pageSizeBytes: count,
        freePages: count,
        migrations: z.array(z.object({ version: z.int(), name: z.string(), appliedAt: timestamp })),
      }),
      queues: z.object({
        writes: count.meta({ description: "Arrived and not durable yet." }),
        heldPolls: count,
        waitingReaders: count.meta({ description: "Wait for the end of a command." }),
        passwordsRunning: count,
        passwordsWaiting: count,
        oneTimeSecrets: count.meta({ description: "Kept until somebody asks for them." }),
      }),
      limits: z.object({
        inUse: z
          .object({ connections: usage, pendingBodyBytes: usage, pendingOutputBytes: usage })
          .meta({ description: "Nothing where no server runs." }),
        perClient: z
          .object({
            connectionsPerAddress: count.nullable(),
            requestsPerSecond: count
              .nullable()
              .meta({ description: "With one credential; 0: no limit." }),
            stalledOutputSeconds: z.number().nullable().meta({
              description: "A connection of which nothing is read for so long is closed.",
            }),
          })
          .meta({ description: "What is allowed to one; null where no server runs." }),
        reached: countsOf(limitNames).meta({
          description: "How often each limit was reached since the start.",
        }),
      }),
      eventLoopDelay: z
        .object({
          p50Ms: z.number(),
          p99Ms: z.number(),
          maxMs: z.number(),
          count: count.meta({ description: "Measurements since the start." }),
          sumMs: z.number(),
        })
        .nullable()
        .meta({ description: "Of the last minutes; null where no server runs." }),
      clock: z.object({
        now: timestamp,
        startedAt: timestamp,
        wallClockMovedMs: z.int().meta({
          description: "How far the wall clock was set, or has drifted, since the start.",
        }),
      }),
      configuration: z.object({
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
      }),
    }),
  },
});
