// What a request is about: whether it is still the same, and how it runs.

import { isDeepStrictEqual } from "node:util";
import type { Approval, Requirement } from "../../domain/approvals/approvals.ts";
import { AppError } from "../../domain/errors.ts";
import { checkPayload } from "../../domain/payload/check.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findApproval, listOpenApprovals, setRequirements } from "../../store/tables/approvals.ts";
import { listPresentTargets } from "../../store/tables/rollout-targets.ts";
import { findRollout } from "../../store/tables/rollouts.ts";
import { approveSchedule, findSchedule } from "../../store/tables/schedules.ts";
import { presentCaller } from "../caller.ts";
import {
  findTargetNow,
  lookUpTarget,
  requireReachable,
  requireTarget,
} from "../commands/action-targets.ts";
import { createExecution } from "../commands/executions.ts";
import { basisOf } from "../commands/prepared-forms.ts";
import type { Ctx } from "../context.ts";
import { Budget } from "../limits/budget.ts";
import { noteChange } from "../news/changes.ts";
import { actionsOfSchedule, boundChange } from "../schedules/approval.ts";
import { Judge } from "../schedules/judging.ts";
import { type ActionOnService, currentPolicies, demandFor } from "./demands.ts";
import { changeSince, moveSince, orderOf } from "./executions.ts";
import { type Basis, requirePermit } from "./permits.ts";
import { actionsOf, rolloutChangeSince, runApprovedRollout } from "./rollouts.ts";

export type Subject =
  /** What has changed since the request. */
  | { change: string }
  | {
      /** What policies are compared with. */
      actions: readonly ActionOnService[];
      /**
       * Returns the id of the command, if there is one. `requester` is the context of who asked.
       * Throws AGENT_OFFLINE and AGENT_DISABLED, after which the request can be approved later.
       */
      run(requester: Ctx, basis: Basis): Promise<string | null>;
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
      return scheduleOf(ctx, tx, approval);
  }
}

/** Returns what policies demand now for an open request, as far as what it is about still exists. */
export async function requirementsNow(
  ctx: Ctx,
  db: Reader,
  approval: Approval,
): Promise<readonly Requirement[]> {
  return (await demandFor(db, await actionsFor(ctx, db, approval)))?.requirements ?? [];
}

/**
 * Stores what policies demand now for the open requests, so that lists show it to those who may decide. Call
 * after owners have changed policies, or labels by which policies choose. Nothing depends on it: each
 * decision looks at the policies again.
 */
export async function refreshRequirements(ctx: Ctx): Promise<void> {
  const { db } = ctx.core;
  // The change is committed already, so this does not end with the caller.
  const working = { ...ctx, caller: presentCaller, budget: new Budget(ctx.core, presentCaller) };
  const judge = new Judge(working, await currentPolicies(db.read));
  for (const approval of await listOpenApprovals(db.read)) {
    await working.budget.spend();
    const { kind, subjectId } = approval;
    const schedule = kind === "schedule" ? await findSchedule(db.read, subjectId ?? "") : null;
    const requirements = schedule
      ? ((await judge.judge(schedule.target)).demand?.requirements ?? [])
      : await requirementsNow(ctx, db.read, approval);
    if (isDeepStrictEqual(requirements, approval.requirements)) continue;
    await db.write((tx) => {
      noteChange(ctx.core, tx, "approval", approval.id);
      return setRequirements(tx, approval.id, requirements);
    });
  }
}

async function actionsFor(
  ctx: Ctx,
  db: Reader,
  { kind, serviceId, subjectId, action: name }: Approval,
): Promise<readonly ActionOnService[]> {
  if (kind === "action") {
    const { service, action } = await lookUpTarget(db, serviceId ?? "", name);
    return service && action ? [{ serviceId: service.id, action }] : [];
  }
  if (kind === "rollout") return actionsOf(await listPresentTargets(db, subjectId ?? "", name));
  const schedule = await findSchedule(db, subjectId ?? "");
  return schedule === null ? [] : actionsOfSchedule(ctx, db, schedule);
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
    // A plan is still a plan: the agent compares the state that the prepare has returned.
    const { schema } = await basisOf(tx, target, prepareCommandId, { expectedState }, tx.now);
    checkPayload(payload, schema);
    return {
      actions: [{ serviceId: target.service.id, action: target.action }],
      async run(requester, basis) {
        if (!order.queue) requireReachable(ctx, target.service);
        const permit = await requirePermit(tx, target, basis, "Ask again.");
        const { id } = await createExecution(requester, tx, target, order, schema, permit);
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
  return {
    actions: actionsOf(targets),
    async run(requester) {
      await runApprovedRollout(requester, tx, rollout, approval.id);
      return null;
    },
  };
}

/** A change of its content ends the request of a schedule, so an open one is about the present content. */
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
