// Wires the layers together. It starts nothing: no listener, no job, no signal handler.

import { createSecretKey, randomFillSync } from "node:crypto";
import { hostname, totalmem } from "node:os";
import { backupsOf, oneTimeSecretsFor } from "./app/by-engine.ts";
import { type Lifecycle, lifecycleOf } from "./app/lifecycle.ts";
import { type LocalCalls, localCallsOf } from "./app/local-calls.ts";
import { coreSettingsOf, httpSettingsOf } from "./app/settings.ts";
import type { Config } from "./config/config.ts";
import { Credentials } from "./core/access/credentials.ts";
import { LoginFailures } from "./core/access/login-failures.ts";
import { LoginGuard } from "./core/access/login-guard.ts";
import { countRefusedLogin } from "./core/access/logins.ts";
import { defaultScryptCost, Passwords, type ScryptCost } from "./core/access/passwords.ts";
import { OutputIntake } from "./core/agent-calls/output-intake.ts";
import { AuditHead } from "./core/audit/head.ts";
import { AuditSums } from "./core/audit/summary-rows.ts";
import { TrailVerifier } from "./core/audit/trail-verifier.ts";
import { EventRateLimit } from "./core/bus/rate-limit.ts";
import { Doorbell } from "./core/changes/doorbell.ts";
import { InvalidatedMap } from "./core/changes/invalidated-map.ts";
import { Feed } from "./core/changes/stream-watchers.ts";
import { pauseMs, StatusClock } from "./core/clock/status-clock.ts";
import { Leadership } from "./core/cluster/leadership.ts";
import { Polls } from "./core/commands/polls.ts";
import type { Core } from "./core/context.ts";
import { Turns } from "./core/limits/budget.ts";
import { HeavyCalls } from "./core/limits/heavy-calls.ts";
import { LimitWatch } from "./core/limits/limit-watch.ts";
import { RateWindow } from "./core/limits/rate-window.ts";
import { EventLoopDelay } from "./core/monitoring/event-loop-delay.ts";
import { RequestTimes } from "./core/monitoring/request-times.ts";
import { StorageWatch } from "./core/monitoring/storage-watch.ts";
import { Counters } from "./core/presence/counters.ts";
import { Presence } from "./core/presence/presence.ts";
import { continueRollout } from "./core/rollouts/advance.ts";
import { RolloutDriver } from "./core/rollouts/driver.ts";
import type { WalkTrail } from "./domain/audit/trail-walks.ts";
import { registrationFailuresPerMinute } from "./domain/limits.ts";
import type { CopyDatabase } from "./domain/storage/backups.ts";
import { createDispatch, type Dispatch } from "./http/dispatch.ts";
import { type Endpoints, endpointsOnDemand } from "./http/endpoints/index.ts";
import type { HttpOptions } from "./http/server.ts";
import { hasProjectFile, readProjectBytes } from "./lib/files/project-files.ts";
import { type Log, silentLog } from "./lib/log.ts";
import type { FillRandom } from "./lib/random.ts";
import { type SetTimer, setRealTimer } from "./lib/timer-wheel.ts";
import { createIdFactory } from "./lib/ulid.ts";
import { headCopyFileOf } from "./store/audit/head-copy.ts";
import { auditKeyOf, sessionKeyOf } from "./store/files/key-files.ts";
import type { OpenedStore } from "./store/open.ts";

export interface App extends LocalCalls, Lifecycle {
  core: Core;
  dispatch: Dispatch;
  httpOptions: HttpOptions;
}

/** The dependencies that tests replace, except for the wall clock, which the database provides. */
export interface World {
  monotonic: () => number;
  setTimer: SetTimer;
  fillRandom: FillRandom;
  scryptCost: ScryptCost;
  log: Log;
  copyDatabase: CopyDatabase;
  walkTrail: WalkTrail;
}

/**
 * The real clocks and randomness, and a log that discards everything. `now` is the wall clock, with
 * which the database is opened.
 */
export const realWorld: Omit<World, "copyDatabase" | "walkTrail"> & { now: () => number } = {
  now: () => Date.now(),
  // `performance` would load node:perf_hooks.
  monotonic: () => Number(process.hrtime.bigint()) / 1e6,
  setTimer: setRealTimer,
  fillRandom: (bytes) => void randomFillSync(bytes),
  scryptCost: defaultScryptCost,
  log: silentLog,
};

type OpenedForApp = Pick<OpenedStore, "place" | "database" | "hasHistory" | "isNew">;

/**
 * Reads the key files, and creates missing ones for an SQLite database. With `hasHistory`, the
 * audit key must exist, because a new key would break the chain. Throws AppError UNAVAILABLE.
 */
export function createApp(
  config: Config,
  { place, database: db, hasHistory, isNew }: OpenedForApp,
  world: World,
  endpoints: Endpoints = endpointsOnDemand,
): App {
  const { monotonic, setTimer, fillRandom, log } = world;
  const now = () => db.now();
  const newId = createIdFactory(now, fillRandom);
  const auditKey = auditKeyOf(place, hasHistory, fillRandom);
  const sessionSecret = config.sessionSecret
    ? Buffer.from(config.sessionSecret)
    : sessionKeyOf(place, fillRandom);
  const keyed = { db, newId, sessionSecret: () => core.sessionSecret };
  const oneTimeSecrets = oneTimeSecretsFor(db, { ...keyed, monotonic, fillRandom });
  const presence = new Presence();
  const checkForeignChange = () => db.checkForeignChange();
  const doorbell = new Doorbell({ checkForeignChange, monotonic, setTimer });
  const limitWatch = new LimitWatch(() => core.log, monotonic);
  const draining = new AbortController();
  const stopping = new AbortController();
  const trailVerifier = (incremental: boolean) => {
    const request = { place, incremental };
    return new TrailVerifier((signal) => world.walkTrail(request, signal));
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
      absenceMs: Math.min(pauseMs, config.agentHeartbeatIntervalSeconds * 1000),
      outageSince: () => db.storage().stoppedSince,
      onJump: (jumpMs) => log.warn({ jumpMs }, "the wall clock has jumped"),
      onPause: (pauseMs) => log.warn({ pauseMs }, "the process was paused"),
    }),
    retention: { warnedAt: -Infinity, isBehind: false },
    leadership: new Leadership(db, monotonic),
    node: { id: newId("nod"), host: hostname(), url: null },
    storage: new StorageWatch(db),
    draining: draining.signal,
    stopping: stopping.signal,
    startedAt: monotonic(),
    startedAtWall: now(),
    settings: coreSettingsOf(config, db),
    auditKey: createSecretKey(auditKey),
    auditHead: new AuditHead(log, isNew),
    auditHeadFile: headCopyFileOf(place),
    auditSums: new AuditSums(monotonic),
    sessionSecret: createSecretKey(sessionSecret),
    presence,
    doorbell,
    feed: new Feed(doorbell),
    credentials: new Credentials(db, presence, now),
    polls: new Polls(),
    instances: new InvalidatedMap(),
    reportCache: new InvalidatedMap(),
    counters: new Counters(),
    oneTimeSecrets,
    passwords: new Passwords(world.scryptCost, fillRandom, memoryLimit()),
    loginGuard: new LoginGuard(new LoginFailures(keyed), () => countRefusedLogin(core)),
    eventLoopDelay: new EventLoopDelay(monotonic),
    limitWatch,
    requestTimes: new RequestTimes(),
    backups: backupsOf(place, world),
    rollouts: new RolloutDriver((id) => continueRollout(core, id)),
    trailVerifiers: { full: trailVerifier(false), incremental: trailVerifier(true) },
    eventRateLimit: new EventRateLimit(config.busIngestPerMinute, monotonic),
    outputIntake: new OutputIntake(limitWatch, monotonic),
    turns: new Turns(),
    heavyCalls: new HeavyCalls(limitWatch),
    registrationFailures: new RateWindow(registrationFailuresPerMinute, 60, monotonic),
  };
  const dispatch = createDispatch(core, endpoints);
  const httpOptions: HttpOptions = {
    core,
    dispatch,
    ...httpSettingsOf(config),
    projectFiles: { has: hasProjectFile, read: readProjectBytes },
  };
  return {
    core,
    dispatch,
    httpOptions,
    ...localCallsOf(httpOptions),
    ...lifecycleOf(core, { config, draining, stopping }),
  };
}

/** Returns the bytes that this process can use: its container's limit, or the host's memory. */
function memoryLimit(): number {
  return Math.min(process.constrainedMemory() || Number.POSITIVE_INFINITY, totalmem());
}
