// Schedules: each runs an action or a rollout at set times. (docs/guides/schedules.md)

import type { Requester } from "../approvals/approvals.ts";
import type { Declared } from "../declarations.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import type { OfflineRule, RolloutChoice } from "../rollouts/rollouts.ts";
import type { SecretsGiven } from "../secrets/secrecy.ts";
import type { Timing } from "./due-times.ts";

export const scheduleStates = ["ENABLED", "PAUSED"] as const;
export type ScheduleState = (typeof scheduleStates)[number];

export const missedRules = ["skip", "once"] as const;
type MissedRule = (typeof missedRules)[number];

export const overlapRules = ["skip", "wait"] as const;
type OverlapRule = (typeof overlapRules)[number];

export interface ScheduledAction {
  kind: "action";
  /** Each run uses the service that has this code at that time. */
  service: string;
  action: string;
  payload: JsonObject;
  confirmation: boolean;
  reason?: string | undefined;
}

/** The services are chosen when the schedule runs. */
export interface ScheduledRollout extends RolloutChoice {
  kind: "rollout";
  name?: string | undefined;
  action: string;
  payload: JsonObject;
  payloadByService: Record<string, JsonObject>;
  confirmation: boolean;
  reason?: string | undefined;
  waves: string[];
  canary?: string | undefined;
  maxParallel: number;
  maxFailures: string;
  between: "continue" | "pause" | number;
  offline: OfflineRule;
  healthGate: boolean;
  healthTimeoutSeconds: number;
  deadlineSeconds?: number | undefined;
}

export type ScheduleTarget = ScheduledAction | ScheduledRollout;

/** The part of a schedule that operators write. */
export interface ScheduleRule extends Timing {
  name: string;
  description?: string | undefined;
  state: ScheduleState;
  target: ScheduleTarget;
  missed: MissedRule;
  overlap: OverlapRule;
}

/** The last caller who saved the schedule. The caller's role decides whether it may run. */
export interface ScheduleOwner {
  kind: "user" | "local";
  /** The id of the user; null for a caller who opened the database directly. */
  id: string | null;
  name: string;
}

/** The agent of a service, and a hash of the action as that agent declared it. */
export interface BoundTarget {
  agentId: string;
  /** Null if the agent did not declare the action. */
  declaration: string | null;
}

/** Times are Unix milliseconds. */
export interface Schedule extends ScheduleRule, Declared {
  id: string;
  /** JSON Pointers to the secrets in `target`, where `[REDACTED]` replaces them. */
  withheld: string[];
  /** The secrets, in the order of `withheld`. */
  secrets: Json[];
  /** Null if there are no secrets, or if an older version stored them without recording this. */
  secretsGiven: SecretsGiven | null;
  /** When the next run is due; null if none is. */
  nextAt: number | null;
  owner: ScheduleOwner;
  /** The digest of the content that was approved, if any, and the request that approved it. */
  approvedDigest: string | null;
  approvalId: string | null;
  /** The ids of the users who have changed the content since it was last approved. */
  authors: string[];
  /**
   * The agent and the declaration for which an action was saved. Null for a rollout, or if the
   * service did not exist then.
   */
  bound: BoundTarget | null;
  version: number;
  createdAt: number;
  updatedAt: number;
}

/** Returns the ids of the users who cannot approve what the schedule runs. */
export function requestersIn({ owner, authors }: Pick<Schedule, "owner" | "authors">): string[] {
  return [owner.id, ...authors].filter((id) => id !== null);
}

export const runStates = [
  "WAITING",
  "STARTING",
  "RUNNING",
  "SUCCEEDED",
  "FAILED",
  "SKIPPED",
] as const;
export type RunState = (typeof runStates)[number];

export const runTriggers = ["time", "operator"] as const;
type RunTrigger = (typeof runTriggers)[number];

/** Why a run was skipped. */
export const skipReasons = ["MISSED", "OVERLAP", "PAUSED"] as const;
export type SkipReason = (typeof skipReasons)[number];

/** Why a run cannot happen. */
export interface Obstacle {
  code: string;
  message: string;
}

/** Who asked for an immediate run, of what content, and on what basis. Any server can start it. */
export interface RunStarter {
  requester: Pick<Requester, "kind" | "userId" | "keyId" | "name">;
  /** The digest of the schedule's content at that time (`scheduleDigest`). Nothing else may run. */
  digest: string;
  /** An owner's reason to bypass the approval that policies demand; null without a bypass. */
  breakGlass: string | null;
}

/** The schedule and the due time identify a run. Times are Unix milliseconds. */
export interface ScheduleRun {
  scheduleId: string;
  dueAt: number;
  trigger: RunTrigger;
  state: RunState;
  errorCode: string | null;
  errorMessage: string | null;
  /** How many earlier due times this run replaces. */
  missedRuns: number;
  /** The operator who ran it; null for a run at its due time. */
  requestedBy: string | null;
  /** Null for a run at its due time, and for runs that an older version has stored. */
  starter: RunStarter | null;
  commandId: string | null;
  rolloutId: string | null;
  startedAt: number | null;
  endedAt: number | null;
}

/** While `until` is null, no schedule runs. Times are Unix milliseconds. */
export interface SchedulePause {
  since: number;
  until: number | null;
  by: string | null;
  reason: string | null;
}
