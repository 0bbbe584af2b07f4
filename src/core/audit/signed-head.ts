// Signs the newest audit row, and copies the signature to a file beside the key. This reveals
// whether rows at the end of the trail were deleted, or an older copy of the database is in use.
// (docs/decisions/0010-audit-trail.md)

import type { ChainLink } from "../../domain/audit/audit-events.ts";
import { auditHead, findAuditLink } from "../../store/audit/audit-events.ts";
import { readHeadCopy, writeHeadCopy } from "../../store/audit/head-copy.ts";
import { isPruned, readSignedHead, writeSignedHead } from "../../store/audit/signatures.ts";
import { type SignedHeadProblem, signedHeadProblem } from "../../store/audit/signed-head.ts";
import type { InvalidRow } from "../../store/audit/verify-chain.ts";
import type { Tx } from "../../store/database.ts";
import { findDamagedRow, writeDamagedRow } from "../../store/tables/audit-damage.ts";
import { type Core, systemContext } from "../context.ts";
import { noteLoss, openLoss } from "./data-loss.ts";
import { audit } from "./trail.ts";

export async function logAuditHead(core: Core): Promise<void> {
  const head = await auditHead(core.db.read);
  if (head) core.auditHead.log(head);
}

/**
 * Signs the newest row, unless it is already signed, and reports rows that are missing or do not
 * match the signed head.
 */
export async function signAuditHead(core: Core): Promise<void> {
  await findLostRow(core);
  if (core.auditHead.isSigned && !core.auditHead.unreported) return;
  await core.db.write(async (tx) => {
    const found = await signedHeadProblem(core, tx);
    await reportLost(core, tx, found);
    await renewSignedHead(core, tx, found);
  });
}

/**
 * Reports in the trail, the log and the health check that a verification has found damage.
 * `brokenRow` is the row that does not match the chain, or null. A failure to report is only
 * logged.
 */
export async function reportDamage(core: Core, brokenRow: InvalidRow | null): Promise<void> {
  const recording = findLostRow(core).then(() =>
    core.db.write(async (tx) => {
      const found = await signedHeadProblem(core, tx);
      // A missing signed head is reported by the next start or the next row, which then signs a new
      // one.
      await reportLost(core, tx, found?.isMissing ? null : found);
      if (brokenRow) await reportBrokenRow(core, tx, brokenRow);
    }),
  );
  await recording.catch((error: unknown) =>
    core.log.warn({ err: error }, "the damage to the audit trail could not be recorded"),
  );
}

/** Checks that the newest row that this process has written still exists or was pruned. */
async function findLostRow({ db, auditHead: own, auditKey }: Core): Promise<void> {
  const { newest } = own;
  if (!newest) return;
  const row = await findAuditLink(db.read, newest.seq);
  if (row?.hash === newest.hash) return;
  if (!row && (await isPruned(db.read, auditKey, newest.seq))) return;
  // A newer row may already have reported the loss.
  if (own.newest === newest) own.lose(newest);
}

/** Reports each row only once, until a verification finds the whole trail sound. */
async function reportBrokenRow(core: Core, tx: Tx, { seq, reason }: InvalidRow): Promise<void> {
  const known = await findDamagedRow(tx);
  if (known?.seq === seq) return;
  await auditDamage(core, tx, `row ${seq}: ${reason}`, "Somebody has changed the trail.");
  await writeDamagedRow(tx, { seq, reason });
}

async function reportLost(core: Core, tx: Tx, found: SignedHeadProblem | null): Promise<void> {
  const { auditHead: own } = core;
  const { unreported } = own;
  if (unreported) {
    const reason = `row ${unreported.seq}, which this service wrote, is gone`;
    await auditDamage(core, tx, reason, setBackOrChanged, unreported);
    await noteLoss(core, tx, unreported.seq, true);
    tx.afterCommit(() => own.noteReported(unreported));
  }
  if (!found || own.reportedMissing.has(found.signedSeq)) return;
  // Another process may have reported the loss.
  if (found.isLost && ((await openLoss(tx))?.seq ?? 0) >= found.signedSeq) return;
  await auditDamage(core, tx, `row ${found.seq}: ${found.reason}`, setBackOrChanged);
  await noteLostHead(core, tx, found);
  tx.afterCommit(() => own.reportedMissing.add(found.signedSeq));
}

/** Records a loss of data if the row that was signed as the head is gone. */
export async function noteLostHead(core: Core, tx: Tx, problem: SignedHeadProblem | null) {
  if (problem?.isLost) await noteLoss(core, tx, problem.signedSeq, false);
}

const setBackOrChanged =
  "Either the database went back to an earlier state, for example after a failover to a lagging replica, " +
  "or somebody has changed the trail.";

async function auditDamage(
  core: Core,
  tx: Tx,
  reason: string,
  cause: string,
  lost: ChainLink | null = null,
): Promise<void> {
  tx.afterCommit(() => core.log.error({ audit: reason }, "the audit trail is damaged"));
  await audit(systemContext(core), tx, {
    action: "audit.damaged",
    targetId: null,
    result: "FAILURE",
    message: `The audit trail does not match what was written: ${reason}. ${cause}`,
    metadata: lost ? { lost } : {},
  });
}

/** Signs the newest row, unless the new signature would remove the evidence of a change. */
export async function renewSignedHead(core: Core, tx: Tx, problem: SignedHeadProblem | null) {
  const head = await auditHead(tx);
  if (!head) return;
  if (!problem || problem.isMissing) await writeSignedHead(tx, core.auditKey, head);
  tx.afterCommit(() => core.auditHead.noteSigned(head.seq));
}

/**
 * Copies the signed head to its file. If the trail contradicts the signed head, the previous copy
 * is kept as evidence.
 */
export async function copyAuditHead(core: Core): Promise<void> {
  const { db, auditHeadFile } = core;
  const signed = await readSignedHead(db.read);
  const copied = readHeadCopy(auditHeadFile)?.seq ?? 0;
  if (!signed || signed.seq <= copied) return;
  if (await signedHeadProblem(core, db.read)) return;
  await writeHeadCopy(auditHeadFile, signed);
}
