// Prunes the audit trail: its oldest rows go, and a signed checkpoint stays from which the rest still
// verifies. (docs/decisions/0010-audit-trail.md)

import { isoTime } from "../../lib/iso-time.ts";
import {
  auditHead,
  deleteOldestAuditEvents,
  endOfNextRows,
  findAuditLink,
  genesis,
} from "../../store/audit/audit-events.ts";
import { isGenuine, moveCheckpoint, newestCheckpoint } from "../../store/audit/signatures.ts";
import { signedHeadProblem } from "../../store/audit/signed-head.ts";
import { walkChain } from "../../store/audit/verify-chain.ts";
import type { Tx } from "../../store/database.ts";
import { type Core, systemContext } from "../context.ts";
import { renewSignedHead } from "./signed-head.ts";
import { audit } from "./trail.ts";

/** One run looks at no more rows than this. */
const maxRowsPerRun = 100_000;
/** Rows that one transaction deletes. */
const batchSize = 200;

/**
 * Deletes the audit rows that are older than `before` (Unix milliseconds); answers how many. The newest
 * row always stays, and a run deletes at most 100,000; when the service stops meanwhile, the next run
 * goes on.
 *
 * Only a beginning of the chain can go, so a row that is not older keeps all behind it. The wall clock
 * may have jumped: a row that is dated later than now is taken to be as old as those around it, or it
 * would keep them for years; one that is dated too early goes no sooner than those before it.
 *
 * Rows are verified before they go. Where one does not fit, nothing from there on is deleted, since it
 * is the evidence; that is logged at each run.
 */
export async function pruneAuditEvents(core: Core, before: number): Promise<number> {
  const { behind, count } = await findOldRows(core, before);
  if (count === 0 || core.stopping.aborted) return 0;
  const upTo = behind + count;
  const ctx = systemContext(core);
  const isOurs = await core.db.write(async (tx) => {
    if (((await newestCheckpoint(tx)) ?? genesis).seq !== behind) return false;
    await audit(ctx, tx, {
      action: "audit.pruned",
      targetId: null,
      metadata: { fromSeq: behind + 1, upToSeq: upTo, before: isoTime(before) },
    });
    await deleteBatch(core, tx, upTo);
    await renewSignedHead(core, tx, await signedHeadProblem(core, tx));
    return true;
  });
  // Another process has been pruning meanwhile.
  if (!isOurs) return 0;
  let deleted = batchSize;
  while (deleted < count && !core.stopping.aborted) {
    const more = await core.db.write((tx) => deleteBatch(core, tx, upTo));
    if (more === 0) break;
    deleted += more;
  }
  return Math.min(deleted, count);
}

/** The rows that can go: so many behind the checkpoint. */
async function findOldRows(core: Core, before: number): Promise<{ behind: number; count: number }> {
  const { db, auditKey, log } = core;
  const checkpoint = await newestCheckpoint(db.read);
  const start = checkpoint ?? genesis;
  const found = { behind: start.seq, count: 0 };
  if (checkpoint && !isGenuine(auditKey, "checkpoint", checkpoint)) {
    log.error({ seq: checkpoint.seq }, "the audit trail's checkpoint is forged; nothing is pruned");
    return found;
  }
  const head = await auditHead(db.read);
  if (!head) return found;
  const now = core.now();
  const { misfit } = await walkChain(db.read, auditKey, {
    start,
    upTo: Math.min(head.seq - 1, start.seq + maxRowsPerRun),
    visit({ seq, at }) {
      if (at < before) found.count = seq - start.seq;
      return (at < before || at > now) && !core.stopping.aborted;
    },
  });
  if (misfit && (await newestCheckpoint(db.read))?.seq === checkpoint?.seq) {
    log.error(misfit, "a row of the audit trail does not fit; nothing is pruned from there on");
  }
  return found;
}

/** Moves the checkpoint on by some rows and deletes them; answers how many. */
async function deleteBatch(core: Core, tx: Tx, upTo: number): Promise<number> {
  const end = await endOfNextRows(tx, { after: 0, upTo }, batchSize);
  const link = end === undefined ? undefined : await findAuditLink(tx, end);
  if (!link) return 0;
  await moveCheckpoint(tx, core.auditKey, link);
  return deleteOldestAuditEvents(tx, link.seq);
}
