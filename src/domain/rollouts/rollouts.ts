// Rollouts: one action on many services, in waves. What happens next is a pure function of the
// rollout's plan and its progress, so that it can be computed again after a crash, and on any node.

import { cutText } from "../../lib/cut-text.ts";
import type { EffectiveStatus } from "../fleet/services.ts";
import { leftOutServices, rolloutNameLength } from "../limits.ts";
import type { Json, JsonObject } from "../payload/json.ts";

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
 * no command was created, because the agent was offline or the rollout ended first.
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

/**
 * When the next wave follows: immediately, when an operator resumes the rollout, or after a given
 * time.
 */
type Between = "continue" | "pause" | { waitMs: number };

export interface RolloutPlan {
  /** The number of targets in each wave, at least 1. */
  waves: readonly number[];
  /** How many targets can be RUNNING or CHECKING at the same time. */
  maxParallel: number;
  /**
   * The rollout ends as FAILED as soon as more targets than this are FAILED, or at its end if more
   * than this are FAILED or NOT_RUN.
   */
  maxFailures: number;
  between: Between;
  /**
   * Unix milliseconds. The rollout ends as FAILED if it has not succeeded by then. Null for no
   * deadline.
   */
  deadlineAt: number | null;
}

export interface RolloutProgress {
  /** The index of the current wave. */
  wave: number;
  /** When the wave's last target ended, in Unix milliseconds; null if that is not recorded. */
  waveEndedAt: number | null;
  /** The WAITING targets of the current wave. */
  waiting: number;
  /** The RUNNING and CHECKING targets of all waves. */
  open: number;
  /** The FAILED targets of all waves. */
  failed: number;
  /** The NOT_RUN targets of all waves. */
  notRun: number;
}

type RolloutStep =
  /** Creates the commands of this many WAITING targets of the current wave. */
  | { kind: "start"; count: number }
  | { kind: "recordWaveEnd" }
  /** `pause`: an operator must resume the rollout before the first target of the wave starts. */
  | { kind: "nextWave"; pause: boolean }
  | { kind: "end"; state: "SUCCEEDED" | "FAILED"; reason: RolloutReason | null }
  /** There is nothing to do now. */
  | { kind: "wait" };

/** Returns what a RUNNING rollout does next at `now`. */
export function nextStep(plan: RolloutPlan, progress: RolloutProgress, now: number): RolloutStep {
  const { waves, maxParallel, maxFailures, between, deadlineAt } = plan;
  const { wave, waveEndedAt, waiting, open, failed, notRun } = progress;
  const isLast = wave >= waves.length - 1;
  if (failed > maxFailures) return { kind: "end", state: "FAILED", reason: "TOO_MANY_FAILURES" };
  if (isLast && waiting === 0 && open === 0) {
    return failed + notRun > maxFailures
      ? { kind: "end", state: "FAILED", reason: "TOO_MANY_NOT_RUN" }
      : { kind: "end", state: "SUCCEEDED", reason: null };
  }
  if (deadlineAt !== null && now >= deadlineAt) {
    return { kind: "end", state: "FAILED", reason: "DEADLINE" };
  }
  const free = Math.min(waiting, maxParallel - open);
  if (free > 0) return { kind: "start", count: free };
  if (waiting > 0 || open > 0) return { kind: "wait" };
  if (between === "continue") return { kind: "nextWave", pause: false };
  if (between === "pause") return { kind: "nextWave", pause: true };
  if (waveEndedAt === null) return { kind: "recordWaveEnd" };
  if (now < waveEndedAt + between.waitMs) return { kind: "wait" };
  return { kind: "nextWave", pause: false };
}

/**
 * Whether a service is healthy after its command. A report from before the end of the command does
 * not count. `late`: the time is up, or the service was deleted. Times are in Unix milliseconds,
 * and the limit in milliseconds.
 */
export function healthVerdict(
  target: { endedAt: number; status: EffectiveStatus | null; lastReportedAt: number | null },
  timeoutMs: number,
  now: number,
): "healthy" | "open" | "late" {
  const { endedAt, status, lastReportedAt } = target;
  if (status === "HEALTHY" && lastReportedAt !== null && lastReportedAt >= endedAt)
    return "healthy";
  return status === null || now >= endedAt + timeoutMs ? "late" : "open";
}

/** A number of targets, or a share of all: `5` or `10%`. */
export const countPattern = /^(?:\d{1,6}|(?:100|\d{1,2})%)$/;

/** A share is rounded up, so that 1% of a small fleet is still one service. */
function countOf(text: string, total: number): number {
  if (!text.endsWith("%")) return Math.min(Number(text), total);
  return Math.ceil((Number(text.slice(0, -1)) * total) / 100);
}

/**
 * Returns the first count that is not greater than an earlier one, such as `5` in `10,5`; null if
 * each count is greater.
 */
export function waveWithoutGrowth(waves: readonly string[]): string | null {
  const most = { count: 0, share: 0 };
  for (const text of waves) {
    const unit = text.endsWith("%") ? "share" : "count";
    const number = Number.parseInt(text, 10);
    if (number <= most[unit]) return text;
    most[unit] = number;
  }
  return null;
}

/**
 * Returns the size of each wave. Each text says how many of all targets have run after the wave;
 * the last wave always takes the rest. Waves without a target are left out.
 */
export function waveSizes(waves: readonly string[], total: number): number[] {
  const sizes: number[] = [];
  let before = 0;
  for (const text of [...waves, "100%"]) {
    const after = Math.max(before, countOf(text, total));
    if (after > before) sizes.push(after - before);
    before = after;
  }
  return sizes;
}

/**
 * Divides items into waves. The canaries are the first wave, and `waves` divides the others. If
 * there are no others, `waves` divides the canaries.
 */
export function inWaves<T extends { isCanary: boolean }>(
  items: readonly T[],
  waves: readonly string[],
): { waves: T[][]; canaries: number } {
  const canaries = items.filter(({ isCanary }) => isCanary);
  const others = items.filter(({ isCanary }) => !isCanary);
  if (canaries.length === 0 || others.length === 0) {
    return { waves: divided(items, waves), canaries: 0 };
  }
  return { waves: [canaries, ...divided(others, waves)], canaries: canaries.length };
}

function divided<T>(items: readonly T[], waves: readonly string[]): T[][] {
  let begin = 0;
  return waveSizes(waves, items.length).map((size) => {
    begin += size;
    return items.slice(begin - size, begin);
  });
}

/** A share is rounded down, so that no more failures are tolerated than it says. */
export function failuresOf(text: string, total: number): number {
  if (!text.endsWith("%")) return Number(text);
  return Math.floor((Number(text.slice(0, -1)) * total) / 100);
}

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
  /** Whether each command runs only if the state is the one that its prepare returned. */
  ifUnchanged?: boolean;
  /** Rollouts of older versions do not have it. */
  leftOut?: LeftOutServices;
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
  /** With `ifUnchanged`, the prepare that returned the expected state; otherwise null. */
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
