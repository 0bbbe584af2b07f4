// Ends requests without approval, and what waits for them.

import type { Approval } from "../../domain/approvals/approvals.ts";
import type { Tx } from "../../store/database.ts";
import { findRollout } from "../../store/tables/rollouts.ts";
import type { Ctx } from "../context.ts";
import { endRequest } from "./requests.ts";
import { cancelUnapproved } from "./rollouts.ts";

/** Returns false if the request has ended already. A schedule stays, but does not run. */
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
