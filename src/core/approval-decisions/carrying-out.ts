// Checks that the content of a request is still the same, and runs it.

import type { Approval } from "../../domain/approvals/approvals.ts";
import { refusalIn } from "../../domain/errors.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import { deadlineMsOf, type Rollout } from "../../domain/rollouts/rollouts.ts";
import type { Tx } from "../../store/database.ts";
import { listPresentTargets } from "../../store/tables/rollouts/rollout-targets.ts";
import { findRollout, releaseRollout } from "../../store/tables/rollouts/rollouts.ts";
import { approveSchedule, findSchedule } from "../../store/tables/schedules/schedules.ts";
import type { ActionOnService } from "../approvals/demands.ts";
import { changeSince, moveSince, orderOf, shownPayloadOf } from "../approvals/executions.ts";
import { type Basis, requirePermit } from "../approvals/permits.ts";
import { actionsOf, rolloutChangeSince } from "../approvals/rollouts.ts";
import { actionsOfSchedule, boundChange } from "../approvals/schedules.ts";
import { createExecution } from "../commands/executions.ts";
import { termsOf } from "../commands/prepared-forms.ts";
import type { Ctx } from "../context.ts";
import { lookUpTarget, requireReachable, requireTarget } from "../presence/action-targets.ts";
import { auditRollout } from "../rollouts/audit.ts";

export type Subject =
  /** What has changed since the request. */
  | { change: string }
  | {
      /** The actions for which policies may demand approval. */
      actions: readonly ActionOnService[];
      /**
       * Returns the id of the command, if there is one. `requester` is the context of the
       * requester. Throws AGENT_OFFLINE and AGENT_DISABLED; the request can then still be approved
       * later.
       */
      run(requester: Ctx, basis: Basis): Promise<string | null>;
    };

/** Compares an open request with the present state of its subject. */
export function subjectOf(ctx: Ctx, tx: Tx, approval: Approval): Promise<Subject> {
  switch (approval.kind) {
    case "action":
      return actionOf(ctx, tx, approval);
    case "rollout":
      return rolloutOf(ctx, tx, approval);
    case "schedule":
      return scheduleOf(ctx, tx, approval);
  }
}

async function actionOf(ctx: Ctx, tx: Tx, approval: Approval): Promise<Subject> {
  const order = orderOf(approval);
  const { prepareCommandId, expectedState, payload } = order;
  try {
    const serviceId = approval.serviceId ?? "";
    const present = await lookUpTarget(tx, serviceId, approval.action);
    const move = present.service && moveSince(approval, present.service);
    if (move !== null) return { change: move };
    const target = requireTarget(present, serviceId, approval.action);
    const change = changeSince(ctx.core, approval, target);
    if (change !== null) return { change };
    // By now, the prepare command may be too old for a new plan. That does no harm, because the
    // agent compares the state with `expectedState`.
    const { schema } = await termsOf(tx, target, prepareCommandId, { expectedState }, tx.now);
    checkPayload(payload, schema);
    return {
      actions: [{ serviceId: target.service.id, action: target.action }],
      async run(requester, basis) {
        if (!order.queue) requireReachable(ctx, target.service);
        const permit = await requirePermit(tx, target, basis, "Ask again.");
        const secretMarks = { schema, shown: shownPayloadOf(approval) };
        const { id } = await createExecution(requester, tx, target, order, secretMarks, permit);
        return id;
      },
    };
  } catch (error) {
    return { change: refusalIn(error).message };
  }
}

async function rolloutOf(ctx: Ctx, tx: Tx, approval: Approval): Promise<Subject> {
  const rollout = await findRollout(tx, approval.subjectId ?? "");
  if (!rollout) return { change: "The rollout was deleted." };
  const targets = await listPresentTargets(tx, rollout.id, rollout.action);
  const change = rolloutChangeSince(ctx.core, approval, rollout, targets);
  if (change !== null) return { change };
  return {
    actions: actionsOf(targets),
    async run(requester) {
      await runApprovedRollout(requester, tx, rollout, approval.id);
      return null;
    },
  };
}

/**
 * A change of a schedule's content ends its request, so an open request is always about the present
 * content.
 */
async function scheduleOf(ctx: Ctx, tx: Tx, { id, subjectId, digest }: Approval): Promise<Subject> {
  const schedule = await findSchedule(tx, subjectId ?? "");
  if (!schedule) return { change: "The schedule was deleted." };
  const change = await boundChange(tx, schedule);
  if (change !== null) return { change };
  return {
    actions: await actionsOfSchedule(ctx, tx, schedule),
    async run() {
      await approveSchedule(tx, schedule.id, { digest, approvalId: id });
      return null;
    },
  };
}

/** Starts the rollout. Its deadline counts from now. */
async function runApprovedRollout(
  ctx: Ctx,
  tx: Tx,
  rollout: Rollout,
  approvalId: string,
): Promise<void> {
  const { id, plan } = rollout;
  const deadlineMs = deadlineMsOf(rollout);
  const deadlineAt = deadlineMs === null ? null : tx.now + deadlineMs;
  // Stored, because a rollout that an older version created may ask for approval again.
  await releaseRollout(tx, id, { ...plan, deadlineAt, deadlineMs }, approvalId);
  await auditRollout(ctx, tx, rollout, "rollout.approved", { approvalId });
  tx.afterCommit(() => ctx.core.rollouts.wake(id));
}
