// What every use case is handed: the shared parts of the running service (Core), and one call (Ctx).
// Clocks, randomness and identity come from here; nothing in this room reaches for them itself.

import type { KeyObject } from "node:crypto";
import type { StatusThresholds } from "../domain/effective-status.ts";
import type { KeyedCall } from "../domain/idempotency-keys.ts";
import type { Principal } from "../domain/principals.ts";
import { clientNetwork } from "../lib/addresses.ts";
import type { Log } from "../lib/log.ts";
import type { FillRandom } from "../lib/random.ts";
import type { Database } from "../store/database.ts";
import type { LoginGuard } from "./access/login-guard.ts";
import type { Passwords } from "./access/passwords.ts";
import type { AuditHead } from "./audit/head.ts";
import type { AuditSums } from "./audit/sums.ts";
import type { TrailVerifier } from "./audit/trail-verifier.ts";
import type { EventRateLimit } from "./bus/rate-limit.ts";
import { type Caller, presentCaller } from "./caller.ts";
import type { CancelNotices } from "./memory/cancel-notices.ts";
import type { Counters } from "./memory/counters.ts";
import type { Credentials } from "./memory/credentials.ts";
import type { Doorbell } from "./memory/doorbell.ts";
import type { EventLoopDelay } from "./memory/event-loop-delay.ts";
import type { Feed } from "./memory/feed.ts";
import type { LimitWatch } from "./memory/limit-watch.ts";
import type { Settings } from "./memory/live-settings.ts";
import type { OneTimeSecrets } from "./memory/one-time-secrets.ts";
import type { OpenWork } from "./memory/open-work.ts";
import type { Presence } from "./memory/presence.ts";
import type { RateWindow } from "./memory/rate-window.ts";
import type { ReportCache } from "./memory/report-cache.ts";
import type { RequestTimes } from "./memory/request-times.ts";
import type { RetentionMemory } from "./memory/retention-memory.ts";
import type { StatusClock } from "./memory/status-clock.ts";
import type { StorageWatch } from "./memory/storage-watch.ts";
import type { BackupMaker } from "./system/backup-maker.ts";

/** What the configuration means to the use cases. Units are in the names. */
export interface CoreSettings {
  thresholds: StatusThresholds;
  /** New ones beyond are refused. */
  maxServicesPerAgent: number;
  heartbeatIntervalSeconds: number;
  reportIntervalSeconds: number;
  commandTtlSeconds: number;
  /** 0: registration tokens do not expire by themselves. */
  registrationTokenTtlSeconds: number;
  metricsMaxSeries: number;
  sessionTtlSeconds: number;
  busEnabled: boolean;
  /** Those that an owner changes meanwhile. */
  live: Settings;
  version: { version: string; commit?: string; buildTime?: string };
}

export interface Core {
  db: Database;
  /** Wall time, Unix milliseconds: for what is stored. */
  now: () => number;
  /** Milliseconds that never go back: for waits and windows. */
  monotonic: () => number;
  /** `<prefix>_<ULID>` */
  newId: (prefix: string) => string;
  fillRandom: FillRandom;
  log: Log;
  /** Wall time as far as silence is judged by it. */
  statusClock: StatusClock;
  retention: RetentionMemory;
  storage: StorageWatch;
  /** Aborted when the service begins to stop: what takes long ends at the next good moment. */
  stopping: AbortSignal;
  /** On the monotonic clock. */
  startedAt: number;
  /** The same moment on the wall clock. */
  startedAtWall: number;
  settings: CoreSettings;
  /** Keys the audit chain; from a file beside the database. */
  auditKey: KeyObject;
  /** What this process knows of the chain's newest row. */
  auditHead: AuditHead;
  /** The copy of the trail's signed head, beside the database. */
  auditHeadFile: string;
  /** What one actor repeats too often to have a row for each. */
  auditSums: AuditSums;
  /** Keys session cookies and CSRF tokens. */
  sessionSecret: KeyObject;
  presence: Presence;
  doorbell: Doorbell;
  feed: Feed;
  credentials: Credentials;
  openWork: OpenWork;
  cancelNotices: CancelNotices;
  reportCache: ReportCache;
  counters: Counters;
  oneTimeSecrets: OneTimeSecrets;
  passwords: Passwords;
  loginGuard: LoginGuard;
  eventLoopDelay: EventLoopDelay;
  limitWatch: LimitWatch;
  requestTimes: RequestTimes;
  backups: BackupMaker;
  trailVerifier: TrailVerifier;
  eventRateLimit: EventRateLimit;
  /** By address. */
  registrationFailures: RateWindow;
}

/** One call: who calls, from where, and the shared parts. */
export interface Ctx {
  core: Core;
  principal: Principal;
  requestId: string | null;
  ip: string | null;
  userAgent: string | null;
  caller: Caller;
  /** The call has an Idempotency-Key: whatever makes something stores its answer with it. */
  keyed?: KeyedCall;
}

/** What calls from the same place are counted by. */
export function networkOf({ ip }: Pick<Ctx, "ip">): string {
  return clientNetwork(ip ?? "here");
}

/** The context of the service's own work. */
export function systemContext(core: Core): Ctx {
  return {
    core,
    principal: { kind: "system" },
    requestId: null,
    ip: null,
    userAgent: null,
    caller: presentCaller,
  };
}
