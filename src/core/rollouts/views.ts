// Converts rollouts to the form of the API.

import type { z } from "zod";
import type { rolloutDetail, rolloutSummary } from "../../api/shapes/rollout-schemas.ts";
import {
  type LeftOutCounts,
  type Rollout,
  type RolloutTarget,
  type StoredPlan,
  type TargetState,
  targetStates,
} from "../../domain/rollouts/rollouts.ts";
import { isoTime, isoTimeOrNull, isoTimes } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import { findApprovalOf } from "../../store/tables/approvals/approvals.ts";
import { countTargets, type TargetCount } from "../../store/tables/rollouts/rollout-targets.ts";

type Counts = Record<TargetState, number>;

export function toRolloutSummary(
  rollout: Rollout,
  counted: readonly TargetCount[],
): z.output<typeof rolloutSummary> {
  const {
    id,
    name,
    action,
    state,
    stateReason,
    reason,
    plan,
    wave,
    createdBy,
    retryOf,
    scheduleId,
  } = rollout;
  const own = counted.filter(({ rolloutId }) => rolloutId === id);
  return {
    id,
    name,
    action,
    state,
    stateReason,
    reason,
    createdBy,
    retryOf,
    scheduleId,
    wave: wave + 1,
    waveCount: plan.waves.length,
    total: plan.waves.reduce((sum, size) => sum + size, 0),
    targets: sum(own),
    leftOut: leftOutCounts(plan),
    ...isoTimes(rollout, "createdAt", "completedAt"),
  };
}

/** Returns null for a rollout that an older version created. */
export function leftOutCounts({ leftOut }: Pick<StoredPlan, "leftOut">): LeftOutCounts | null {
  return leftOut ? { total: leftOut.total, reasons: leftOut.reasons } : null;
}

function sum(counted: readonly TargetCount[]): Counts {
  const counts = Object.fromEntries(targetStates.map((state) => [state, 0])) as Counts;
  for (const { state, count } of counted) counts[state] += count;
  return counts;
}

export async function toRolloutDetail(
  db: Reader,
  rollout: Rollout,
): Promise<z.output<typeof rolloutDetail>> {
  const counted = await countTargets(db, [rollout.id]);
  const approval = await findApprovalOf(db, rollout.id);
  const { choice, plan, payload, withheld, waveEndedAt } = rollout;
  const { waves, maxParallel, maxFailures, between, offline, healthTimeoutMs, deadlineAt } = plan;
  const { waitMs } = typeof between === "object" ? between : { waitMs: 0 };
  const waits = rollout.state === "RUNNING" && waveEndedAt !== null;
  return {
    ...toRolloutSummary(rollout, counted),
    leftOut: plan.leftOut ?? null,
    choice,
    waves: waves.map((size, at) => ({
      size,
      targets: sum(counted.filter(({ wave }) => wave === at)),
    })),
    canary: plan.wanted.canary ?? null,
    maxParallel,
    maxFailures,
    between: typeof between === "object" ? between.waitMs / 1000 : between,
    nextWaveAt: waits ? isoTime(waveEndedAt + waitMs) : null,
    offline,
    healthTimeoutSeconds: healthTimeoutMs === null ? null : healthTimeoutMs / 1000,
    deadlineAt: isoTimeOrNull(deadlineAt),
    ifUnchanged: plan.ifUnchanged ?? false,
    payload,
    withheld,
    approvalId: approval?.id ?? null,
  };
}

export function toTargetView(target: RolloutTarget) {
  const { position, wave, serviceId, serviceCode, agentId, agentCode, state } = target;
  const { commandId, prepareCommandId, errorCode, errorMessage } = target;
  return {
    position,
    wave: wave + 1,
    serviceId,
    serviceCode,
    agentId,
    agentCode,
    state,
    commandId,
    prepareCommandId,
    errorCode,
    errorMessage,
    endedAt: isoTimeOrNull(target.endedAt),
  };
}
