// The newest row of the audit chain, signed in the database, copied beside the key and written into the log:
// what a cut of the trail's end, or an older copy of it, is held against. Rows of the last second are not
// under the signature yet, those of the last ten not under the copy.
// (docs/decisions/0010-audit-trail.md)

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import { auditHead, findAuditLink } from "../../store/audit/audit-events.ts";
import { readHeadCopy, writeHeadCopy } from "../../store/audit/head-copy.ts";
import { isPruned, readSignedHead, writeSignedHead } from "../../store/audit/signatures.ts";
import { type SignedHeadProblem, signedHeadProblem } from "../../store/audit/signed-head.ts";
import type { Tx } from "../../store/database.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { audit } from "./trail.ts";

/** Writes the newest row into the log, for whoever keeps the log. Every hour, and at the end. */
export async function logAuditHead(core: Core): Promise<void> {
  const head = await auditHead(core.db.read);
  if (head) core.auditHead.log(head);
}

/**
 * Signs the newest row if this process has written rows since the last time. Every second. When the
 * trail's end is not what it was, a row of the trail says so, once.
 */
export async function signAuditHead(core: Core): Promise<void> {
  await missOwnRow(core);
  if (core.auditHead.isSigned && !core.auditHead.untold) return;
  const problem = await core.db.write(async (tx) => {
    const found = await signedHeadProblem(core, tx);
    await tellDamage(core, tx, found);
    await renewSignedHead(core, tx, found);
    return found;
  });
  if (problem) core.log.error({ audit: problem.reason }, "the audit trail does not fit its head");
}

/** Whether the newest row that this process has written is still there: rows are pruned, never cut. */
async function missOwnRow({ db, auditHead: own, auditKey }: Core): Promise<void> {
  const { newest } = own;
  if (!newest) return;
  const row = await findAuditLink(db.read, newest.seq);
  if (row?.hash === newest.hash) return;
  if (!row && (await isPruned(db.read, auditKey, newest.seq))) return;
  // Another row may have been written meanwhile, and have missed it already.
  if (own.newest === newest) own.lose(newest);
}

async function tellDamage(core: Core, tx: Tx, found: SignedHeadProblem | null): Promise<void> {
  const ctx = systemContext(core);
  const { auditHead: own } = core;
  const { untold } = own;
  if (untold) {
    const reason = `row ${untold.seq}, which this service has written, is gone`;
    await auditDamage(ctx, tx, reason, untold);
    tx.afterCommit(() => own.noteTold(untold));
  }
  if (!found || own.hasToldMissing(found.signedSeq)) return;
  await auditDamage(ctx, tx, `row ${found.seq}: ${found.reason}`, null);
  tx.afterCommit(() => own.noteToldMissing(found.signedSeq));
}

function auditDamage(ctx: Ctx, tx: Tx, reason: string, lost: ChainLink | null): Promise<void> {
  return audit(ctx, tx, {
    action: "audit.damaged",
    targetId: null,
    result: "FAILURE",
    message: `The audit trail was changed: ${reason}.`,
    metadata: lost ? { lost } : {},
  });
}

/** Signs the newest row, unless that took away what shows that the trail was changed. */
export async function renewSignedHead(
  core: Core,
  tx: Tx,
  problem: SignedHeadProblem | null,
): Promise<void> {
  const head = await auditHead(tx);
  if (!head) return;
  if (!problem || problem.isMissing) await writeSignedHead(tx, core.auditKey, head);
  tx.afterCommit(() => core.auditHead.noteSigned(head.seq));
}

/**
 * Copies the signed head beside the key when it has moved on, unless the trail does not fit the copy that
 * is there. Every ten seconds, at the start and at the end: it is flushed to the disk, beside the event loop.
 */
export async function copyAuditHead(core: Core): Promise<void> {
  const { db, auditHeadFile } = core;
  const signed = await readSignedHead(db.read);
  const copied = readHeadCopy(auditHeadFile)?.seq ?? 0;
  if (!signed || signed.seq <= copied) return;
  if (await signedHeadProblem(core, db.read)) return;
  await writeHeadCopy(auditHeadFile, signed);
}
