// The newest row of the audit chain, signed in the database and written into the log: what a cut of the
// trail's end, or an older copy of it, is held against. Rows of the last second are not under the
// signature yet. (`trust.md` "Audit")

import { auditHead, findAuditLink, hasAuditAction } from "../store/audit-events.ts";
import {
  isGenuine,
  newestCheckpoint,
  readSignedHead,
  writeSignedHead,
} from "../store/audit-signatures.ts";
import type { Reader, Tx } from "../store/database.ts";
import { endsEarly, type Misfit } from "./audit-chain.ts";
import type { Core } from "./context.ts";

/** Writes the newest row into the log, for whoever keeps the log. Every hour, and at the end. */
export async function logAuditHead(core: Core): Promise<void> {
  const head = await auditHead(core.db.read);
  if (head) core.auditHead.log(head);
}

/** Signs the newest row if this process has written rows since the last time. Every second. */
export async function signAuditHead(core: Core): Promise<void> {
  if (core.auditHead.isSigned) return;
  const problem = await core.db.write(async (tx) => {
    const found = await signedHeadProblem(core, tx);
    await renewSignedHead(core, tx, found);
    return found;
  });
  if (problem) core.log.error({ audit: problem.reason }, "the audit trail does not fit its head");
}

export interface SignedHeadProblem extends Misfit {
  /** There is no signed head at all, so a new one takes nothing away. */
  isMissing: boolean;
}

/** Whether the trail still has the row that was signed as its head. Null when all is well. */
export async function signedHeadProblem(
  { auditKey }: Pick<Core, "auditKey">,
  db: Reader,
): Promise<SignedHeadProblem | null> {
  const signed = await readSignedHead(db);
  const lastSeq = (await auditHead(db))?.seq ?? 0;
  if (!signed) {
    // Pruning and every start sign the head.
    const wasSigned =
      (await newestCheckpoint(db)) !== undefined || (await hasAuditAction(db, "system.started"));
    const reason = "the signed head of the trail is missing";
    return wasSigned ? { seq: lastSeq + 1, reason, isMissing: true } : null;
  }
  const problem = (misfit: Misfit) => ({ ...misfit, isMissing: false });
  const { seq, hash } = signed;
  if (!isGenuine(auditKey, "head", signed)) {
    return problem({ seq, reason: "the signature of the trail's head is wrong" });
  }
  const row = await findAuditLink(db, seq);
  if (row?.hash === hash) return null;
  if (row) return problem({ seq, reason: "it is not the row that was signed as the trail's head" });
  if (seq > lastSeq) return problem(endsEarly(lastSeq, `row ${seq}, which was signed as its head`));
  const checkpoint = await newestCheckpoint(db);
  const isPruned = checkpoint && seq <= checkpoint.seq;
  if (isPruned && isGenuine(auditKey, "checkpoint", checkpoint)) return null;
  return problem({ seq, reason: "it is missing, and was signed as the trail's head" });
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
