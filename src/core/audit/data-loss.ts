// If the database falls back to an older state, for example by a failover to a replica that lagged
// behind, changes that the service had confirmed are gone. Until an owner has accepted the loss,
// schedules and rollouts start nothing, because what they would start may already have run.
// (docs/guides/cluster.md)

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import { AppError } from "../../domain/errors.ts";
import type { DataLoss } from "../../domain/storage/data-loss.ts";
import { isoTime, isoTimeOrNull } from "../../lib/iso-time.ts";
import { auditHead } from "../../store/audit/audit-events.ts";
import { readHeadCopy, writeHeadCopy } from "../../store/audit/head-copy.ts";
import {
  dropVerifiedLink,
  findVerifiedLink,
  readSignedHead,
  writeSignedHead,
} from "../../store/audit/signatures.ts";
import { signedHeadProblem } from "../../store/audit/signed-head.ts";
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
 * Notes that the audit row `seq` is gone. With `isNew`, this process wrote the row itself.
 * Otherwise, the signed head names the row. It may still name the row after the loss was accepted,
 * so an accepted loss is not noted again.
 */
export async function noteLoss(core: Core, tx: Tx, seq: number, isNew: boolean): Promise<void> {
  const before = await findDataLoss(tx);
  if (before?.acceptedAt === null && before.seq >= seq) return;
  if (before && !isNew && before.seq >= seq) return;
  const since = before?.acceptedAt === null ? before.since : tx.now;
  await writeDataLoss(tx, { since, seq, host: core.node.host, acceptedAt: null, acceptedBy: null });
}

/**
 * Lets schedules and rollouts continue. If the caller is local, and therefore has the keys, also
 * replaces the signatures of rows that are gone, so that the trail verifies again. The audit row
 * keeps the old signatures. An owner's credential alone is not enough to make a truncated trail
 * verify.
 */
export async function acceptLoss(ctx: Ctx) {
  const { core, principal } = ctx;
  let isSignedAgain = false;
  const accepted = await core.db.write(async (tx) => {
    const problem = principal.kind === "local" ? await signedHeadProblem(core, tx) : null;
    isSignedAgain = problem?.isLost === true;
    const before = await findDataLoss(tx);
    if (before?.acceptedAt !== null && !isSignedAgain) {
      throw new AppError("NOT_FOUND", "No loss of data is waiting to be accepted.");
    }
    const signedSeq = problem?.signedSeq ?? 0;
    const isKnown = before !== null && (before.acceptedAt === null || before.seq >= signedSeq);
    const { since, host } = isKnown ? before : { since: tx.now, host: core.node.host };
    const seq = isKnown ? Math.max(before.seq, signedSeq) : signedSeq;
    const loss = { since, seq, host, acceptedAt: tx.now, acceptedBy: makerOf(principal) };
    // Once no signature names the lost rows, any missing row is a new loss.
    await writeDataLoss(tx, isSignedAgain ? { ...loss, seq: 0 } : loss);
    const replaced = isSignedAgain ? { replaced: await signedRows(core, tx) } : {};
    await audit(ctx, tx, {
      action: "maintenance.data_loss.accepted",
      targetId: null,
      metadata: { lostRow: seq, since: isoTime(since), host, ...replaced },
    });
    if (isSignedAgain) await signAgain(core, tx);
    return toLossView(loss);
  });
  if (isSignedAgain) await copySignedHead(core);
  return accepted;
}

async function signedRows({ auditKey, auditHeadFile }: Core, tx: Tx) {
  const place = (link: ChainLink | null | undefined) => link && { seq: link.seq, hash: link.hash };
  return {
    head: place(await readSignedHead(tx)),
    headCopy: place(readHeadCopy(auditHeadFile)),
    verified: place(await findVerifiedLink(tx, auditKey)),
  };
}

async function signAgain({ auditKey }: Core, tx: Tx): Promise<void> {
  const newest = await auditHead(tx);
  if (newest) await writeSignedHead(tx, auditKey, newest);
  await dropVerifiedLink(tx);
}

/**
 * Does not throw, because the loss is already accepted. If an older copy remains, `signAuditHead`
 * reports the loss again, and whoever accepts it then replaces the copy.
 */
async function copySignedHead({ db, auditHeadFile, log }: Core): Promise<void> {
  try {
    const signed = await readSignedHead(db.read);
    if (signed) await writeHeadCopy(auditHeadFile, signed);
  } catch (err) {
    log.warn({ err }, `the audit trail's head could not be copied to ${auditHeadFile}`);
  }
}

export function toLossView({ since, seq, host, acceptedAt, acceptedBy }: DataLoss) {
  const acceptance = { acceptedAt: isoTimeOrNull(acceptedAt), acceptedBy };
  return { since: isoTime(since), lostRow: seq, host, ...acceptance };
}
