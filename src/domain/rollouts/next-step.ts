// What a rollout does next. This depends only on the rollout's plan and its progress, so it can be
// computed again after a crash, and on any node.

import type { EffectiveStatus } from "../fleet/services.ts";

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
  | { kind: "end"; state: "SUCCEEDED"; reason: null }
  | {
      kind: "end";
      state: "FAILED";
      reason: "TOO_MANY_FAILURES" | "TOO_MANY_NOT_RUN" | "DEADLINE";
    }
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
