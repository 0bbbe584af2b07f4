// Ends the requests that nobody has decided in time, and deletes old ones.

import type { Tx } from "../../store/database.ts";
import {
  deleteApproval,
  listEndedApprovalIds,
  listExpiredApprovals,
} from "../../store/tables/approvals.ts";
import { type Core, systemContext } from "../context.ts";
import { inSlices } from "../slices.ts";
import { endUnapproved } from "./ending.ts";

export async function expireApprovals(core: Core): Promise<number> {
  if ((await listExpiredApprovals(core.db.read, core.now(), 1)).length === 0) return 0;
  const ctx = systemContext(core);
  return inSlices(
    core,
    Infinity,
    (tx, limit) => listExpiredApprovals(tx, tx.now, limit),
    (tx, approval) => endUnapproved(ctx, tx, approval, "EXPIRED"),
  );
}

/** Deletes requests that ended before `before` (Unix milliseconds). Their audit rows stay. */
export function pruneApprovals(core: Core, before: number): Promise<number> {
  const next = (tx: Tx, limit: number) => listEndedApprovalIds(tx, before, limit);
  return inSlices(core, Infinity, next, deleteApproval);
}
