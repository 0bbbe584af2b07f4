// What a request is about: whether it is still the same, and how it runs.

import type { Approval, Requirement } from "../../domain/approvals/approvals.ts";
import { AppError } from "../../domain/errors.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { Tx } from "../../store/database.ts";
import { approveSchedule, findApproval } from "../../store/tables/approvals.ts";
import { listPresentTargets } from "../../store/tables/rollout-targets.ts";
import { findRollout } from "../../store/tables/rollouts.ts";
import { findTarget, findTargetNow, requireReachable } from "../commands/action-targets.ts";
import { createExecution } from "../commands/executions.ts";
import { basisOf } from "../commands/prepared-forms.ts";
import type { Ctx } from "../context.ts";
import { changeSince, orderOf } from "./executions.ts";
import { neededFor } from "./gate.ts";
import { gateTargetsOf, rolloutChangeSince, runApprovedRollout } from "./rollouts.ts";

export type Subject =
  /** What has changed since the request. */
  | { change: string }
  | {
      /** What policies demand now. */
      requirements: readonly Requirement[];
      /**
       * Returns the id of the command, if there is one. `requester` is the context of who asked.
       * Throws AGENT_OFFLINE and AGENT_DISABLED, after which the request can be approved later.
       */
      run(requester: Ctx): Promise<string | null>;
    };

/** Flushes memory if the agent of an action looks unreachable, because it may have just called. */
export async function settleForRequest(ctx: Ctx, id: string): Promise<void> {
  const approval = await findApproval(ctx.core.db.read, id);
  if (!approval || approval.endedAt !== null || approval.serviceId === null) return;
  try {
    await findTargetNow(ctx, approval.serviceId, approval.action);
  } catch (error) {
    // The transaction finds out that the service or the action is gone.
    if (!(error instanceof AppError)) throw error;
  }
}

/** Compares an open request with the present. */
export function subjectOf(ctx: Ctx, tx: Tx, approval: Approval): Promise<Subject> {
  switch (approval.kind) {
    case "action":
      return actionOf(ctx, tx, approval);
    case "rollout":
      return rolloutOf(ctx, tx, approval);
    case "schedule":
      return scheduleOf(tx, approval);
  }
}

async function actionOf(ctx: Ctx, tx: Tx, approval: Approval): Promise<Subject> {
  const order = orderOf(approval);
  const { prepareCommandId, expectedState, payload } = order;
  try {
    const target = await findTarget(tx, approval.serviceId ?? "", approval.action);
    const change = changeSince(ctx.core, approval, target);
    if (change !== null) return { change };
    // A plan is still a plan: the agent compares the state that the prepare has returned.
    const { schema } = await basisOf(tx, target, prepareCommandId, { expectedState }, tx.now);
    checkPayload(payload, schema);
    const gateTarget = { serviceId: target.service.id, action: target.action };
    const needed = await neededFor(tx, [gateTarget]);
    return {
      requirements: needed?.requirements ?? [],
      async run(requester) {
        if (!order.queue) requireReachable(ctx, target.service);
        const { id } = await createExecution(requester, tx, target, order, schema, approval.id);
        return id;
      },
    };
  } catch (error) {
    if (error instanceof AppError && error.code !== "UNAVAILABLE") return { change: error.message };
    throw error;
  }
}

async function rolloutOf(ctx: Ctx, tx: Tx, approval: Approval): Promise<Subject> {
  const rollout = await findRollout(tx, approval.subjectId ?? "");
  if (!rollout) return { change: "The rollout was deleted." };
  const targets = await listPresentTargets(tx, rollout.id, rollout.action);
  const change = rolloutChangeSince(ctx.core, approval, rollout, targets);
  if (change !== null) return { change };
  const needed = await neededFor(tx, gateTargetsOf(targets));
  return {
    requirements: needed?.requirements ?? [],
    async run(requester) {
      await runApprovedRollout(requester, tx, rollout, approval.id);
      return null;
    },
  };
}

/** A change of a schedule ends its request, so an open one is about the present content. */
async function scheduleOf(tx: Tx, { subjectId, digest }: Approval): Promise<Subject> {
  return {
    requirements: [],
    async run() {
      await approveSchedule(tx, subjectId ?? "", digest);
      return null;
    },
  };
}
