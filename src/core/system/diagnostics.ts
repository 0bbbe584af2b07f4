// Diagnostics contain only names and numbers, no secrets or paths.

import { arch, platform, release } from "node:os";
import type { diagnostics } from "../../api/diagnostics.ts";
import { contractVersion } from "../../domain/contract-version.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { clusterFacts } from "../cluster/nodes.ts";
import type { Core, Ctx } from "../context.ts";
import type { HandlersOf } from "../handlers.ts";
import { edition } from "./system.ts";

export const handlers: HandlersOf<typeof diagnostics> = {
  "diagnostics.get": (ctx) => getDiagnostics(ctx),
};

export type Diagnostics = Awaited<ReturnType<typeof getDiagnostics>>;

export async function getDiagnostics({ core }: Ctx) {
  const { migrations, ...database } = await core.db.stats();
  const { heldLog } = core.db.storage();
  return {
    service: { ...core.settings.version, edition, contractVersion },
    process: processFacts(core),
    database: {
      engine: core.db.engine,
      ...database,
      ...(heldLog ? { walHeldSince: isoTime(heldLog.since) } : {}),
      migrations: migrations.map((each) => ({ ...each, appliedAt: isoTime(each.appliedAt) })),
    },
    cluster: await clusterFacts(core),
    queues: await queueDepths(core),
    limits: {
      inUse: core.limitWatch.usage(),
      perClient: core.limitWatch.perClient,
      reached: core.limitWatch.counts(),
    },
    eventLoopDelay: core.eventLoopDelay.read(),
    clock: clockFacts(core),
    configuration: await configurationFacts(core),
  };
}

function processFacts(core: Core) {
  const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    pid: process.pid,
    node: process.versions.node,
    os: `${platform()} ${release()}`,
    arch: arch(),
    uptimeSeconds: Math.floor((core.monotonic() - core.startedAt) / 1000),
    cpuSeconds: (user + system) / 1e6,
    memory: {
      residentBytes: rss,
      heapTotalBytes: heapTotal,
      heapUsedBytes: heapUsed,
      externalBytes: external,
    },
  };
}

async function queueDepths(core: Core) {
  const { polls, readers } = core.doorbell.countWaiting();
  const { running, waiting } = core.passwords.load;
  return {
    writes: core.db.storage().pendingWrites,
    heldPolls: polls,
    waitingReaders: readers,
    passwordsRunning: running,
    passwordsWaiting: waiting,
    oneTimeSecrets: await core.oneTimeSecrets.count(),
  };
}

/**
 * `wallClockMovedMs` is how far the wall clock has moved against the monotonic clock since the
 * start.
 */
function clockFacts(core: Core) {
  const now = core.now();
  const passed = core.monotonic() - core.startedAt;
  return {
    now: isoTime(now),
    startedAt: isoTime(core.startedAtWall),
    wallClockMovedMs: Math.round(now - core.startedAtWall - passed),
  };
}

async function configurationFacts({ settings }: Core) {
  const { offlineMs, suppressMs, serviceStaleMs } = settings.thresholds;
  return {
    agentOfflineThresholdSeconds: offlineMs / 1000,
    agentSuppressAfterSeconds: suppressMs / 1000,
    serviceStaleThresholdSeconds: serviceStaleMs / 1000,
    agentHeartbeatIntervalSeconds: settings.agentHeartbeatIntervalSeconds,
    agentReportIntervalSeconds: settings.agentReportIntervalSeconds,
    commandTtlSeconds: settings.commandTtlSeconds,
    registrationTokenTtlSeconds: settings.registrationTokenTtlSeconds,
    sessionTtlSeconds: settings.sessionTtlSeconds,
    maxServicesPerAgent: settings.maxServicesPerAgent,
    metricsMaxSeries: settings.metricsMaxSeries,
    ...(await settings.live.get()),
  };
}
