// Holds an audit trail against the head that was signed last: what finds that its end was cut off.
// (`trust.md` "Audit")

import type { KeyObject } from "node:crypto";
import { endsEarly, type Misfit } from "./audit-chain.ts";
import { auditHead, findAuditLink, hasAuditAction } from "./audit-events.ts";
import { isGenuine, newestCheckpoint, readSignedHead } from "./audit-signatures.ts";
import type { Reader } from "./database.ts";

export interface SignedHeadProblem extends Misfit {
  /** There is no signed head at all, so a new one takes nothing away. */
  isMissing: boolean;
}

/** Whether the trail still has the row that was signed as its head. Null when all is well. */
export async function signedHeadProblem(
  { auditKey }: { auditKey: KeyObject },
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
