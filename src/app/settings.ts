// Derives the settings of the layers from the configuration.

import type { Config } from "../config/config.ts";
import type { CoreSettings } from "../core/context.ts";
import { Settings } from "../core/system/settings-cache.ts";
import { bodyLimitBytes, resultEnvelopeBytes } from "../domain/limits.ts";
import type { HttpOptions } from "../http/server.ts";
import type { Database } from "../store/database.ts";

export function coreSettingsOf(config: Config, db: Database): CoreSettings {
  const { version, commit, buildTime } = config;
  const { workspaceName, maintenanceIntervalSeconds } = config;
  const { auditRetentionDays, busEventRetentionDays } = config;
  const { commandRetentionDays, silentRetentionDays, serviceHistoryRetentionDays } = config;
  return {
    thresholds: {
      offlineMs: config.agentOfflineThresholdSeconds * 1000,
      suppressMs: config.agentSuppressAfterSeconds * 1000,
      serviceStaleMs: config.serviceStaleThresholdSeconds * 1000,
    },
    maxServicesPerAgent: config.agentMaxServices,
    agentHeartbeatIntervalSeconds: config.agentHeartbeatIntervalSeconds,
    // A service becomes stale when four reports in a row are missing.
    agentReportIntervalSeconds: Math.max(1, Math.floor(config.serviceStaleThresholdSeconds / 4)),
    commandTtlSeconds: config.commandTtlSeconds,
    registrationTokenTtlSeconds: config.registrationTokenTtlSeconds,
    metricsMaxSeries: config.metricsMaxSeries,
    sessionTtlSeconds: config.sessionTtlSeconds,
    busEnabled: config.busEnabled,
    live: new Settings(db, {
      workspaceName,
      maintenanceIntervalSeconds,
      auditRetentionDays,
      busEventRetentionDays,
      commandRetentionDays,
      silentRetentionDays,
      serviceHistoryRetentionDays,
      // All nodes and all commands with --db must agree on this, so it is not taken from the
      // environment.
      operatorLabels: [],
    }),
    version: { version, ...(commit ? { commit } : {}), ...(buildTime ? { buildTime } : {}) },
  };
}

type HttpSettings = Pick<HttpOptions, "sitePolicy" | "listenerLimits" | "commandResultMaxBytes">;

export function httpSettingsOf(config: Config): HttpSettings {
  return {
    sitePolicy: {
      allowedHosts: config.allowedHosts,
      publicUrl: config.publicUrl ?? null,
      boundHost: config.host,
      trustProxy: config.trustProxy,
    },
    listenerLimits: {
      maxConnections: config.maxConnections,
      maxConnectionsPerAddress: config.maxConnectionsPerAddress,
      maxRequestsPerSecond: config.maxRequestsPerSecond,
      maxPendingBodyBytes: config.maxPendingBodyBytes,
      maxPendingOutputBytes: config.maxPendingOutputBytes,
      stalledOutputSeconds: config.stalledOutputSeconds,
      largestBodyBytes: Math.max(
        ...Object.values(bodyLimitBytes),
        config.commandResultMaxBytes + resultEnvelopeBytes,
      ),
    },
    commandResultMaxBytes: config.commandResultMaxBytes,
  };
}
