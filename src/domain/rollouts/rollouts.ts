// Rollouts: one action on many services, in waves.

import { cutText } from "../../lib/cut-text.ts";
import type { EffectiveStatus } from "../fleet/services.ts";
import { leftOutServices, rolloutNameLength } from "../limits.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import type { RolloutPlan } from "./next-step.ts";

export const rolloutStates = [
  "AWAITING_APPROVAL",
  "RUNNING",
  "PAUSED",
  "SUCCEEDED",
  "FAILED",
  "CANCELLED",
] as const;
export type RolloutState = (typeof rolloutStates)[number];

/** Why a rollout is PAUSED or FAILED, or was CANCELLED without approval. */
export const rolloutReasons = [
  "OPERATOR",
  "WAVE_ENDED",
  "TOO_MANY_FAILURES",
  "TOO_MANY_NOT_RUN",
  "DEADLINE",
  "NOT_APPROVED",
  "APPROVAL_REQUIRED",
] as const;
export type RolloutReason = (typeof rolloutReasons)[number];

/**
 * `CHECKING`: the command has succeeded, and the service is not known to be healthy yet. `NOT_RUN`:
 * no agent received a command, because the agent was offline or the rollout ended first.
 */
export const targetStates = [
  "WAITING",
  "RUNNING",
  "CHECKING",
  "SUCCEEDED",
  "FAILED",
  "NOT_RUN",
] as const;
export type TargetState = (typeof targetStates)[number];

export const offlineRules = ["skip", "wait", "fail"] as const;
export type OfflineRule = (typeof offlineRules)[number];

/** How an operator chose the services. A service must meet every condition that is given. */
export interface RolloutChoice {
  selector?: string | undefined;
  /** Codes of services. */
  services?: string[] | undefined;
  /** Codes of agents. */
  agents?: string[] | undefined;
  status?: EffectiveStatus[] | undefined;
}

/** Leaves out the other fields of `chooser`, such as a request. */
export function choiceOf(chooser: RolloutChoice): RolloutChoice {
  const { selector, services, agents, status } = chooser;
  return { selector, services, agents, status };
}

/** A chosen service on which a rollout does not run, and why. */
export interface LeftOutService {
  serviceId: string;
  serviceCode: string;
  agentId: string;
  agentCode: string;
  code: string;
  message: string;
}

export interface LeftOutCounts {
  total: number;
  /** Each reason and how many services were left out for it, the most frequent first. */
  reasons: { code: string; count: number }[];
}

export interface LeftOutServices extends LeftOutCounts {
  /** The first `leftOutServices.shown` of them. */
  services: LeftOutService[];
}

export function leftOutOf(all: readonly LeftOutService[]): LeftOutServices {
  const byCode = Map.groupBy(all, ({ code }) => code);
  return {
    total: all.length,
    reasons: [...byCode]
      .map(([code, { length: count }]) => ({ code, count }))
      .sort((a, b) => b.count - a.count),
    services: all
      .slice(0, leftOutServices.shown)
      .map((service) => ({ ...service, message: cutText(service.message, leftOutServices.text) })),
  };
}

/** The name of a retry: `nightly (retry)`, then `nightly (retry 2)`. */
export function retryName(name: string): string {
  const [, base = "", number] = /^(.*?)(?: \(retry(?: (\d+))?\))?$/s.exec(name) ?? [];
  const isRetry = base.length < name.length;
  const suffix = isRetry ? ` (retry ${Number(number ?? 1) + 1})` : " (retry)";
  return cutText(base, rolloutNameLength - suffix.length) + suffix;
}

/**
 * What a rollout does, as it is stored: its rules, and the services on which it does not run.
 */
export interface StoredPlan extends RolloutPlan {
  offline: OfflineRule;
  /** How long a service may take to be HEALTHY after its command; null if that is not checked. */
  healthTimeoutMs: number | null;
  /**
   * The time from the creation or the last approval to the deadline; null for no deadline. Rollouts
   * of older versions do not have it.
   */
  deadlineMs?: number | null;
  /** Whether each command runs only if the state is the one that its prepare command returned. */
  ifUnchanged?: boolean;
  /** Rollouts of older versions do not have it. */
  leftOut?: LeftOutServices;
  /**
   * The users who cannot approve the rollout because of its schedule (`requestersIn`). Rollouts
   * without a schedule and those of older versions do not have it.
   */
  authors?: string[];
  /** What the operator wrote. `canary` is the selector of the first wave, if there is one. */
  wanted: { waves: string[]; canary?: string | undefined; maxFailures: string };
}

/** A payload with its secrets stored separately. */
export interface StoredPayload {
  payload: JsonObject;
  withheld: string[];
  /** The secrets, in the order of `withheld`; null after the rollout has ended. */
  secrets: Json[] | null;
}

/** Times are Unix milliseconds. */
export interface Rollout extends StoredPayload {
  id: string;
  name: string | null;
  action: string;
  state: RolloutState;
  stateReason: RolloutReason | null;
  reason: string | null;
  choice: RolloutChoice;
  plan: StoredPlan;
  wave: number;
  waveEndedAt: number | null;
  createdBy: string | null;
  /** The user who created it; null if no user is known. */
  creatorId: string | null;
  /**
   * The request that approved it or its schedule, or that recorded a bypass; null if there is none.
   */
  approvalId: string | null;
  /** The rollout whose targets this one runs again, or null. */
  retryOf: string | null;
  /** The schedule that created it, or null. */
  scheduleId: string | null;
  createdAt: number;
  completedAt: number | null;
  settledAt: number | null;
}

/** Returns how long the rollout may take from its creation or its next approval, or null. */
export function deadlineMsOf({ plan, createdAt }: Pick<Rollout, "plan" | "createdAt">) {
  const { deadlineMs, deadlineAt } = plan;
  if (deadlineMs !== undefined) return deadlineMs;
  return deadlineAt === null ? null : deadlineAt - createdAt;
}

export interface RolloutTarget {
  position: number;
  wave: number;
  serviceId: string;
  serviceCode: string;
  agentId: string;
  agentCode: string;
  /** A hash of the action as the agent declared it; null in rollouts of older versions. */
  declaration: string | null;
  state: TargetState;
  /** Null if the rollout's own payload is used. */
  own: StoredPayload | null;
  /** With `ifUnchanged`, the prepare command that returned the expected state; otherwise null. */
  prepareCommandId: string | null;
  /** The fingerprint of the state that the command must find, or null. */
  expectedState: string | null;
  commandId: string | null;
  endedAt: number | null;
  errorCode: string | null;
  errorMessage: string | null;
}

export const openRolloutStates = ["AWAITING_APPROVAL", "RUNNING", "PAUSED"] as const;

export function hasEnded(state: RolloutState): boolean {
  return state === "SUCCEEDED" || state === "FAILED" || state === "CANCELLED";
}
