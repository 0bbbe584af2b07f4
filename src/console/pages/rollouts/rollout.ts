// A rollout and its targets, which are the services on which it runs.

import { hasEnded, type TargetState } from "../../../domain/rollouts/rollouts.ts";
import type { Reply } from "../../client/call.ts";
import { texts } from "../../texts/index.ts";

export type Rollout = Reply<"rollouts.get">;
export type Target = Reply<"rollouts.targets">[number];

/** All states of targets, the most urgent first. */
export const targetStates: readonly TargetState[] = [
  ...(["FAILED", "RUNNING", "CHECKING"] as const),
  ...(["NOT_RUN", "WAITING", "SUCCEEDED"] as const),
];

export function openCount({ targets }: Pick<Rollout, "targets">): number {
  return targets.RUNNING + targets.CHECKING;
}

/** Whether the rollout can still change without an operator's act. */
export function isMoving(rollout: Rollout): boolean {
  return rollout.state === "RUNNING" || openCount(rollout) > 0;
}

export function mayBeRetried({ state, targets }: Rollout): boolean {
  return hasEnded(state) && targets.FAILED + targets.NOT_RUN > 0;
}

/** Returns `3 succeeded, 1 failed`. */
export function countsText(targets: Rollout["targets"]): string {
  return targetStates
    .filter((state) => targets[state] > 0)
    .map((state) => texts.rollouts.counts[state]({ many: targets[state] }))
    .join(texts.words.comma);
}

/** Returns `BROKEN: the disk is full`, or null if the target has no error. */
export function errorText({ errorCode, errorMessage }: Target): string | null {
  return [errorCode, errorMessage].filter(Boolean).join(texts.words.colon) || null;
}
