// Ends requests that were not approved, cancels the rollouts that wait for them, and deletes old
// requests.

import type { Approval } from "../../domain/approvals/approvals.ts";
import type { Rollout } from "../../domain/rollouts/rollouts.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  deleteApproval,
  listEndedApprovalIds,
  listExpiredApprovals,
} from "../../store/tables/approvals/approvals.ts";
import { endRollout, findRollout } from "../../store/tables/rollouts/rollouts.ts";
import { endRequest } from "../approvals/requests.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { auditRollout } from "../rollouts/audit.ts";
import { inSlices } from "../short-transactions.ts";

/**
 * Returns false if the request has ended already. The schedule of a request stays, but does not
 * run.
 */
export async function endUnapproved(
  ctx: Ctx,
  tx: Tx,
  approval: Approval,
  state: "REJECTED" | "WITHDRAWN" | "EXPIRED" | "OUTDATED" | "FAILED",
  reason: string | null = null,
): Promise<boolean> {
  if (!(await endRequest(ctx, tx, approval, state, { reason }))) return false;
  if (approval.kind !== "rollout" || approval.subjectId === null) return true;
  const rollout = await findRollout(tx, approval.subjectId);
  if (rollout) await cancelUnapproved(ctx, tx, rollout);
  return true;
}

async function cancelUnapproved(ctx: Ctx, tx: Tx, rollout: Rollout): Promise<void> {
  if (rollout.state !== "AWAITING_APPROVAL") return;
  await endRollout(tx, rollout.id, "CANCELLED", "NOT_APPROVED");
  await auditRollout(ctx, tx, rollout, "rollout.cancelled", { reason: "NOT_APPROVED" });
  tx.afterCommit(() => ctx.core.rollouts.wake(rollout.id));
}

export function expireApprovals(core: Core): Promise<number> {
  const now = core.now();
  const ctx = systemContext(core);
  return inSlices(
    core,
    Infinity,
    (db, limit) => listExpiredApprovals(db, now, limit),
    (tx, approval) => endUnapproved(ctx, tx, approval, "EXPIRED"),
  );
}

/** Deletes requests that ended before `before` (Unix milliseconds). Their audit rows stay. */
export function pruneApprovals(core: Core, before: number): Promise<number> {
  const next = (db: Reader, limit: number) => listEndedApprovalIds(db, before, limit);
  return inSlices(core, Infinity, next, deleteApproval);
}
