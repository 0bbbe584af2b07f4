// If the database falls back to an older state, for example by a failover to a replica that lagged
// behind, changes that the service had confirmed are gone. Until an owner has accepted the loss,
// schedules and rollouts start nothing, because what they would start may already have run.
// (docs/cluster.md)

import { AppError } from "../../domain/errors.ts";
import type { DataLoss } from "../../domain/storage/data-loss.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findDataLoss, writeDataLoss } from "../../store/tables/data-loss.ts";
import type { Core, Ctx } from "../context.ts";
import { audit, makerOf } from "./trail.ts";

/** Returns null if nothing was lost, or an owner has accepted it. */
export async function openLoss(db: Reader): Promise<DataLoss | null> {
  const loss = await findDataLoss(db);
  return loss?.acceptedAt === null ? loss : null;
}

/**
 * Notes that the audit row `seq` is gone. With `isNew`, this process has written the row itself.
 * Otherwise, the row is known from the signed head, which still names the row after the loss was
 * accepted.
 */
export async function noteLoss(core: Core, tx: Tx, seq: number, isNew: boolean): Promise<void> {
  const before = await findDataLoss(tx);
  if (before?.acceptedAt === null && before.seq >= seq) return;
  if (before && !isNew && before.seq >= seq) return;
  const since = before?.acceptedAt === null ? before.since : tx.now;
  await writeDataLoss(tx, { since, seq, host: core.node.host, acceptedAt: null, acceptedBy: null });
}

/** Lets schedules and rollouts continue. */
export async function acceptLoss(ctx: Ctx) {
  return ctx.core.db.write(async (tx) => {
    const loss = await openLoss(tx);
    if (loss === null) {
      throw new AppError("NOT_FOUND", "No loss of data is waiting to be accepted.");
    }
    const acceptedBy = makerOf(ctx.principal);
    await writeDataLoss(tx, { ...loss, acceptedAt: tx.now, acceptedBy });
    const { since, seq, host } = loss;
    await audit(ctx, tx, {
      action: "maintenance.data_loss.accepted",
      targetId: null,
      metadata: { lostRow: seq, since: isoTime(since), host },
    });
    return { ...toLossView(loss), acceptedAt: isoTime(tx.now), acceptedBy };
  });
}

export function toLossView({ since, seq, host, acceptedAt, acceptedBy }: DataLoss) {
  const acceptance = { acceptedAt: isoTimeOrNull(acceptedAt), acceptedBy };
  return { since: isoTime(since), lostRow: seq, host, ...acceptance };
}
