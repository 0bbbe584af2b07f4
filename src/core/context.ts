// Every use case gets the shared parts of the service (Core) and one call (Ctx). A use case takes
// clocks, randomness and ids only from these.

import type { KeyObject } from "node:crypto";
import type { Principal } from "../domain/access/principals.ts";
import type { AgentInstances } from "../domain/fleet/agent-instances.ts";
import type { StatusThresholds } from "../domain/fleet/effective-status.ts";
import type { KeyedCall } from "../domain/idempotency-keys.ts";
import type { OwnNode } from "../domain/nodes.ts";
import { clientNetwork } from "../lib/addresses.ts";
import type { Log } from "../lib/log.ts";
import type { FillRandom } from "../lib/random.ts";
import type { BulkReader, Database, ReadingPurpose } from "../store/database.ts";
import type { Credentials } from "./access/credentials.ts";
import type { LoginGuard } from "./access/login-guard.ts";
import type { Passwords } from "./access/passwords.ts";
import type { OutputIntake } from "./agent-calls/output-intake.ts";
import type { AuditHead } from "./audit/head.ts";
import type { AuditSums } from "./audit/summary-rows.ts";
import type { TrailVerifier } from "./audit/trail-verifier.ts";
import type { EventRateLimit } from "./bus/rate-limit.ts";
import { type Caller, presentCaller } from "./caller.ts";
import type { Doorbell } from "./changes/doorbell.ts";
import type { InvalidatedMap } from "./changes/invalidated-map.ts";
import type { Feed } from "./changes/stream-watchers.ts";
import type { StatusClock } from "./clock/status-clock.ts";
import type { Leadership } from "./cluster/leadership.ts";
import type { Polls } from "./commands/polls.ts";
import { Budget, type Turns } from "./limits/budget.ts";
import type { HeavyCalls } from "./limits/heavy-calls.ts";
import type { LimitWatch } from "./limits/limit-watch.ts";
import type { RateWindow } from "./limits/rate-window.ts";
import type { EventLoopDelay } from "./monitoring/event-loop-delay.ts";
import type { RequestTimes } from "./monitoring/request-times.ts";
import type { StorageWatch } from "./monitoring/storage-watch.ts";
import type { Counters } from "./presence/counters.ts";
import type { Presence } from "./presence/presence.ts";
import type { ReportCache } from "./presence/report-cache.ts";
import type { RolloutDriver } from "./rollouts/driver.ts";
import type { OneTimeSecrets } from "./secrets/one-time-secrets.ts";
import type { Backups } from "./system/backup-maker.ts";
import type { Settings } from "./system/settings-cache.ts";

export interface CoreSettings {
  thresholds: StatusThresholds;
  /** Beyond this number, an agent's new services are refused. */
  maxServicesPerAgent: number;
  agentHeartbeatIntervalSeconds: number;
  agentReportIntervalSeconds: number;
  commandTtlSeconds: number;
  /** 0 means that registration tokens do not expire by default. */
  registrationTokenTtlSeconds: number;
  metricsMaxSeries: number;
  sessionTtlSeconds: number;
  busEnabled: boolean;
  /** The settings that owners can change while the service runs. */
  live: Settings;
  version: { version: string; commit?: string; buildTime?: string };
}

export interface Core {
  db: Database;
  /** Wall time in Unix milliseconds, used for stored times. */
  now: () => number;
  /** Monotonic milliseconds, used for waits and windows. */
  monotonic: () => number;
  /** Returns `<prefix>_<ULID>`. */
  newId: (prefix: string) => string;
  fillRandom: FillRandom;
  log: Log;
  /** The clock that decides which agents are silent. */
  statusClock: StatusClock;
  /**
   * When `retention-clock.ts` last logged a warning, in monotonic milliseconds, and whether
   * `maintenance.ts` has more to delete.
   */
  retention: { warnedAt: number; isBehind: boolean };
  leadership: Leadership;
  /** This server as a node of a cluster. */
  node: OwnNode;
  storage: StorageWatch;
  /** Aborted before `stopping`, so that load balancers can notice that the server is not ready. */
  draining: AbortSignal;
  /** Aborted when the service begins to stop, so that long work stops soon. */
  stopping: AbortSignal;
  /** In monotonic milliseconds. */
  startedAt: number;
  /** In Unix milliseconds. */
  startedAtWall: number;
  settings: CoreSettings;
  /** The key of the audit chain. */
  auditKey: KeyObject;
  auditHead: Readonly<AuditHead>;
  /** The path of this server's copy of the signed head. */
  auditHeadFile: string;
  auditSums: AuditSums;
  /** The key for session cookies and CSRF tokens. */
  sessionSecret: KeyObject;
  presence: Presence;
  doorbell: Doorbell;
  feed: Feed;
  credentials: Credentials;
  polls: Polls;
  /**
   * Cached states of agents whose last call came from their current program
   * (commands/agent-instances.ts).
   */
  instances: InvalidatedMap<string, AgentInstances>;
  reportCache: ReportCache;
  counters: Counters;
  oneTimeSecrets: OneTimeSecrets;
  passwords: Passwords;
  loginGuard: LoginGuard;
  eventLoopDelay: EventLoopDelay;
  limitWatch: LimitWatch;
  requestTimes: RequestTimes;
  backups: Backups;
  rollouts: RolloutDriver;
  trailVerifiers: { full: TrailVerifier; incremental: TrailVerifier };
  eventRateLimit: EventRateLimit;
  outputIntake: OutputIntake;
  /** Shared by the budgets of all calls. */
  turns: Turns;
  heavyCalls: HeavyCalls;
  /** Counts failures per address and per token. */
  registrationFailures: RateWindow;
}

export interface Ctx {
  core: Core;
  principal: Principal;
  requestId: string | null;
  ip: string | null;
  userAgent: string | null;
  caller: Caller;
  budget: Budget;
  /** Set if the call has an Idempotency-Key, under which the response is stored. */
  keyed?: KeyedCall;
}

/** Returns a reader for lists, counts and exports. Its reads do not delay the agents. */
export function bulkReader({ core, caller }: Ctx, purpose?: ReadingPurpose): BulkReader {
  return core.db.bulkReader(caller, purpose);
}

/**
 * Returns a context for the work of a call after its change was committed. By then, no limit may
 * make the call fail, and the response to its Idempotency-Key is already stored.
 */
export function contextAfterCommit({ keyed: _, ...ctx }: Ctx): Ctx {
  return { ...ctx, budget: new Budget(ctx.core, ctx.caller) };
}

export function networkOf({ ip }: Pick<Ctx, "ip">): string {
  return clientNetwork(ip ?? "here");
}

export function systemContext(core: Core): Ctx {
  return {
    core,
    principal: { kind: "system" },
    requestId: null,
    ip: null,
    userAgent: null,
    caller: presentCaller,
    budget: new Budget(core, presentCaller),
  };
}
