// The newest row of the audit chain, signed in the database and written into the log: what a cut of the
// trail's end, or an older copy of it, is held against. Rows of the last second are not under the
// signature yet. (`trust.md` "Audit")

import { auditHead } from "../store/audit-events.ts";
import { writeSignedHead } from "../store/audit-signatures.ts";
import { type SignedHeadProblem, signedHeadProblem } from "../store/audit-signed-head.ts";
import type { Tx } from "../store/database.ts";
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
