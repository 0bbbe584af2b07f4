// Wires the layers together. It starts nothing: no listener, no job, no signal handler.

import { createSecretKey, randomFillSync } from "node:crypto";
import { hostname } from "node:os";
import type { LocalDoor, LocalPaths } from "./client/transport-local.ts";
import type { Config } from "./config/config.ts";
import { FailuresInMemory } from "./core/access/failures-in-memory.ts";
import { LoginGuard } from "./core/access/login-guard.ts";
import { countRefusedLogin } from "./core/access/logins.ts";
import { defaultScryptCost, Passwords, type ScryptCost } from "./core/access/passwords.ts";
import { StoredFailures } from "./core/access/stored-failures.ts";
import { createFirstOwner } from "./core/access/users.ts";
import { noteAbsence } from "./core/agent-calls/server-absence.ts";
import { AuditHead } from "./core/audit/head.ts";
import { writeAuditSums } from "./core/audit/repeated-events.ts";
import { copyAuditHead, logAuditHead, signAuditHead } from "./core/audit/signed-head.ts";
import { AuditSums } from "./core/audit/summary-rows.ts";
import { TrailVerifier } from "./core/audit/trail-verifier.ts";
import { EventRateLimit } from "./core/bus/rate-limit.ts";
import { presentCaller } from "./core/caller.ts";
import type { Core, CoreSettings } from "./core/context.ts";
import { CancelNotices } from "./core/memory/cancel-notices.ts";
import { Counters } from "./core/memory/counters.ts";
import { Credentials } from "./core/memory/credentials.ts";
import { Doorbell } from "./core/memory/doorbell.ts";
import { Feed } from "./core/memory/feed.ts";
import { flushPresence } from "./core/memory/flush.ts";
import { obeyForeignChanges } from "./core/memory/foreign-changes.ts";
import { InvalidatedMap } from "./core/memory/invalidated-map.ts";
import { Leadership } from "./core/memory/leadership.ts";
import { Settings } from "./core/memory/live-settings.ts";
import { Presence } from "./core/memory/presence.ts";
import { RateWindow } from "./core/memory/rate-window.ts";
import { RetentionMemory } from "./core/memory/retention-memory.ts";
import { SealedSecrets } from "./core/memory/sealed-secrets.ts";
import { SecretsInMemory } from "./core/memory/secrets-in-memory.ts";
import { StatusClock } from "./core/memory/status-clock.ts";
import { EventLoopDelay } from "./core/monitoring/event-loop-delay.ts";
import { LimitWatch } from "./core/monitoring/limit-watch.ts";
import { RequestTimes } from "./core/monitoring/request-times.ts";
import { StorageWatch } from "./core/monitoring/storage-watch.ts";
import {
  BackupMaker,
  type BackupOptions,
  type Backups,
  ForeignBackups,
} from "./core/system/backup-maker.ts";
import { reactivate } from "./core/system/moves.ts";
import { noteNode, removeNode } from "./core/system/nodes.ts";
import { noteRestored } from "./core/system/restores.ts";
import { timeToDeleteBy } from "./core/system/retention-clock.ts";
import { workspaceOf } from "./core/system/settings.ts";
import { noteSystem } from "./core/system/system.ts";
import type { WalkTrail } from "./domain/audit/trail-walks.ts";
import {
  bodyLimitBytes,
  registrationFailuresPerMinute,
  resultEnvelopeBytes,
} from "./domain/limits.ts";
import type { Principal } from "./domain/principals.ts";
import type { CopyDatabase } from "./domain/storage/backups.ts";
import { type Place, placeOf } from "./domain/storage/place.ts";
import { backupNotSupported } from "./domain/storage/postgres-tools.ts";
import { createDispatch, type Dispatch, type Endpoints } from "./http/dispatch.ts";
import { endpointsOnDemand } from "./http/endpoints/on-demand.ts";
import type { HttpOptions } from "./http/server.ts";
import { hasProjectFile, readProjectBytes } from "./lib/files/project-files.ts";
import { type Log, silentLog } from "./lib/log.ts";
import type { FillRandom } from "./lib/random.ts";
import { createIdFactory } from "./lib/ulid.ts";
import { headCopyOf } from "./store/audit/head-copy.ts";
import type { Database } from "./store/database.ts";
import type { OpenedDatabase } from "./store/engine/open.ts";
import { auditKeyOf, sessionKeyOf } from "./store/files/key-files.ts";
import { noteWallClock } from "./store/tables/retention-clock.ts";

export interface App {
  core: Core;
  dispatch: Dispatch;
  httpOptions: HttpOptions;
  /** Calls routes by name from within this process. */
  localDoor(principal: Principal): LocalDoor;
  /** Calls routes by method and path from within this process. */
  localPaths(principal: Principal): LocalPaths;
  /** Shows this server, which listens at `url`, among the nodes of a cluster. */
  join(url: string): Promise<void>;
  /** Audits the start of the server, and any restore or migration that preceded it. */
  noteStarted(migrations: string[]): Promise<void>;
  noteMigrated(migrations: string[]): Promise<void>;
  noteStopped(): Promise<void>;
  /** Lets servers open a database again whose data was moved away. Returns false if it was not. */
  reactivate(osUser: string): Promise<boolean>;
  /** From now on the server reports that it is not ready. It still handles every call. */
  drain(): void;
  /** Ends every wait and all long work, and drains. */
  beginToStop(): void;
  /** Creates an owner if there is no user. Returns the password only if it was generated. */
  welcomeOwner(): Promise<{ username: string; password: string } | null>;
  /** Ends every wait and saves the data that is only in memory. The database stays open. */
  close(): Promise<void>;
}

/** The dependencies that tests replace, beside the wall clock, which is the database's. */
export interface World {
  monotonic: () => number;
  fillRandom: FillRandom;
  scryptCost: ScryptCost;
  log: Log;
  copyDatabase: CopyDatabase;
  walkTrail: WalkTrail;
}

/**
 * The real clocks and randomness, and a log that discards everything. A file is opened with the wall
 * clock.
 */
export const realWorld: Omit<World, "copyDatabase" | "walkTrail"> & { now: () => number } = {
  now: () => Date.now(),
  // `performance` would load node:perf_hooks.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  fillRandom: (bytes) => void randomFillSync(bytes),
  scryptCost: defaultScryptCost,
  log: silentLog,
};

/**
 * Reads the key files, and creates missing ones for a SQLite database. With `hasHistory`, the audit
 * key must exist, because a new key would break the chain. Throws AppError UNAVAILABLE.
 */
export function createApp(
  config: Config,
  { database: db, hasHistory, isNew }: Pick<OpenedDatabase, "database" | "hasHistory" | "isNew">,
  world: World,
  endpoints: Endpoints = endpointsOnDemand,
): App {
  const { monotonic, fillRandom, log } = world;
  const now = () => db.now();
  const newId = createIdFactory(now, fillRandom);
  /** Whether other nodes may serve the same agents and operators. */
  const isShared = db.engine === "postgresql";
  const place = placeOf(config);
  const presence = new Presence();
  const doorbell = new Doorbell({
    checkForeignChange: isShared ? null : () => db.checkForeignChange(),
    monotonic,
  });
  const draining = new AbortController();
  const stopping = new AbortController();
  const trailVerifier = (incremental: boolean) => {
    const request = { place, incremental };
    return new TrailVerifier((...given) => world.walkTrail(request, ...given));
  };
  const core: Core = {
    db,
    now,
    monotonic,
    fillRandom,
    log,
    newId,
    statusClock: new StatusClock({
      now,
      monotonic,
      graceMs: config.agentOfflineThresholdSeconds * 1000,
      onJump: (jumpMs) => log.warn({ jumpMs }, "the wall clock has jumped"),
      onPause: (pauseMs) => log.warn({ pauseMs }, "the process was paused"),
    }),
    retention: new RetentionMemory(),
    leadership: new Leadership(db, monotonic),
    node: { id: newId("nod"), host: hostname(), url: null },
    storage: new StorageWatch(db),
    draining: draining.signal,
    stopping: stopping.signal,
    startedAt: monotonic(),
    startedAtWall: now(),
    settings: settingsOf(config, db),
    auditKey: createSecretKey(auditKeyOf(place, hasHistory, fillRandom)),
    auditHead: new AuditHead(log, isNew),
    auditHeadFile: place.kind === "file" ? headCopyOf(place.file) : place.headCopyFile,
    auditSums: new AuditSums(monotonic),
    sessionSecret: createSecretKey(
      config.sessionSecret ? Buffer.from(config.sessionSecret) : sessionKeyOf(place, fillRandom),
    ),
    presence,
    doorbell,
    feed: new Feed(doorbell),
    credentials: new Credentials(db, presence, now),
    openWork: new InvalidatedMap(),
    cancelNotices: new CancelNotices(),
    reportCache: new InvalidatedMap(),
    counters: new Counters(),
    oneTimeSecrets: isShared
      ? new SealedSecrets({ db, sessionSecret: () => core.sessionSecret, fillRandom })
      : new SecretsInMemory(monotonic),
    passwords: new Passwords(world.scryptCost, fillRandom),
    loginGuard: new LoginGuard(
      isShared
        ? new StoredFailures({ db, sessionSecret: () => core.sessionSecret, newId })
        : new FailuresInMemory(monotonic),
      () => countRefusedLogin(core),
    ),
    eventLoopDelay: new EventLoopDelay(monotonic),
    limitWatch: new LimitWatch(() => core.log, monotonic),
    requestTimes: new RequestTimes(),
    backups: backupsOf(place, world),
    trailVerifiers: { full: trailVerifier(false), incremental: trailVerifier(true) },
    eventRateLimit: new EventRateLimit(config.busIngestPerMinute, monotonic),
    registrationFailures: new RateWindow(registrationFailuresPerMinute, 60, monotonic),
  };
  const stopObeying = obeyForeignChanges(core);
  const keepHeadCopy = () =>
    copyAuditHead(core).catch((error: unknown) =>
      log.warn({ err: error }, "the audit trail's head could not be copied beside its key"),
    );
  const dispatch = createDispatch(core, endpoints);
  return {
    core,
    dispatch,
    httpOptions: {
      core,
      dispatch,
      sitePolicy: {
        allowedHosts: config.allowedHosts,
        publicUrl: config.publicUrl ?? null,
        boundHost: config.host,
        trustProxy: config.trustProxy,
      },
      budgets: {
        maxConnections: config.maxConnections,
        maxConnectionsPerAddress: config.maxConnectionsPerAddress,
        maxRequestsPerSecond: config.maxRequestsPerSecond,
        maxPendingBodyBytes: config.maxPendingBodyBytes,
        maxPendingOutputBytes: config.maxPendingOutputBytes,
        stalledOutputSeconds: config.stalledOutputSeconds,
        largestBodyBytes: Math.max(
          bodyLimitBytes.report,
          config.commandResultMaxBytes + resultEnvelopeBytes,
        ),
      },
      commandResultMaxBytes: config.commandResultMaxBytes,
      projectFiles: { has: hasProjectFile, read: readProjectBytes },
    },
    localDoor(principal) {
      const local = localCaller(principal);
      return ({ caller = local.caller, ...request }) => dispatch({ ...request, ...local, caller });
    },
    localPaths: (principal) => async (call) => {
      // Imported here because only calls by path need the router.
      const { callPath } = await import("./http/paths.ts");
      const options = { core, dispatch, commandResultMaxBytes: config.commandResultMaxBytes };
      return callPath(options, localCaller(principal), call);
    },
    async join(url) {
      core.node.url = url;
      await noteNode(core);
    },
    async noteStarted(migrations) {
      // Runs first, because it reads times that the next writes replace.
      await noteAbsence(core);
      await timeToDeleteBy(core);
      if (await noteRestored(core)) log.info({}, "the database was restored from a backup");
      if (migrations.length > 0) await this.noteMigrated(migrations);
      await noteSystem(core, "system.started", { version: config.version });
      await keepHeadCopy();
      // Creates the row now, so that reading the metrics writes nothing.
      await workspaceOf(core);
    },
    noteMigrated: (migrations) => noteSystem(core, "system.migrated", { migrations }),
    async noteStopped() {
      await noteSystem(core, "system.stopped");
      await db.write(noteWallClock);
      await keepHeadCopy();
      await logAuditHead(core);
    },
    reactivate: (osUser) => reactivate(core, osUser),
    drain: () => draining.abort(),
    beginToStop() {
      draining.abort();
      stopping.abort();
      doorbell.close();
      // Not awaited, so that clients learn the reason before their connections close.
      void core.backups.close();
      void closeTrailVerifiers(core);
    },
    async welcomeOwner() {
      const { adminUsername: username, adminPassword: password } = config;
      const owner = await createFirstOwner(core, { username, password });
      const made = owner?.generatedPassword;
      return made ? { username: owner.username, password: made } : null;
    },
    async close() {
      this.beginToStop();
      await core.backups.close();
      await closeTrailVerifiers(core);
      stopObeying();
      core.eventLoopDelay.stop();
      // Runs first, because a later write may fail.
      await flushPresence(core);
      await writeAuditSums(core, true).catch((error: unknown) =>
        log.warn({ err: error }, "repeated audit events could not be summarized"),
      );
      // If this fails, the previous signature remains valid.
      await signAuditHead(core).catch((error: unknown) =>
        log.warn({ err: error }, "the audit trail's head could not be signed"),
      );
      await removeNode(core).catch((error: unknown) =>
        log.warn({ err: error }, "this server could not be removed from the nodes"),
      );
      await core.leadership.resign();
    },
  };
}

function backupsOf(place: Place, { copyDatabase, log }: World): Backups {
  if (place.kind === "postgresql") return new ForeignBackups(() => backupNotSupported(place));
  const { file: from, folder, auditKeyFile } = place;
  const copy: BackupOptions["copy"] = (to, signal) =>
    copyDatabase({ from, to, auditKeyFile }, signal);
  return new BackupMaker({ folder, log, copy });
}

async function closeTrailVerifiers({ trailVerifiers }: Core): Promise<void> {
  await Promise.all([trailVerifiers.full.close(), trailVerifiers.incremental.close()]);
}

function localCaller(principal: Principal) {
  const none = { bearer: null, requestId: null, ip: null, userAgent: null };
  return { principal, ...none, secure: false, isOwnUrl: () => false, caller: presentCaller };
}

function settingsOf(config: Config, db: Database): CoreSettings {
  const { version, commit, buildTime } = config;
  const { workspaceName, maintenanceIntervalSeconds } = config;
  const { auditRetentionDays, busEventRetentionDays } = config;
  const { commandRetentionDays, silentRetentionDays } = config;
  return {
    thresholds: {
      offlineMs: config.agentOfflineThresholdSeconds * 1000,
      suppressMs: config.agentSuppressAfterSeconds * 1000,
      serviceStaleMs: config.serviceStaleThresholdSeconds * 1000,
    },
    maxServicesPerAgent: config.agentMaxServices,
    heartbeatIntervalSeconds: config.agentHeartbeatIntervalSeconds,
    // A service becomes stale when four reports in a row are missing.
    reportIntervalSeconds: Math.max(1, Math.floor(config.serviceStaleThresholdSeconds / 4)),
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
    }),
    version: { version, ...(commit ? { commit } : {}), ...(buildTime ? { buildTime } : {}) },
  };
}
