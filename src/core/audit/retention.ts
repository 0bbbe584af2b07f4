// Prunes the audit trail: deletes its oldest rows and leaves a signed checkpoint, from which the
// remaining rows can be verified. (docs/decisions/0010-audit-trail.md)

import { isoTime } from "../../lib/iso-time.ts";
import {
  auditHead,
  deleteOldestAuditEvents,
  findAuditLink,
} from "../../store/audit/audit-events.ts";
import { genesis } from "../../store/audit/chain-hash.ts";
import {
  isSignatureValid,
  moveCheckpoint,
  newestCheckpoint,
} from "../../store/audit/signatures.ts";
import { signedHeadProblem } from "../../store/audit/signed-head.ts";
import { walkChain } from "../../store/audit/verify-chain.ts";
import type { Tx } from "../../store/database.ts";
import { type Core, systemContext } from "../context.ts";
import { inTransactions, type Slice } from "../short-transactions.ts";
import { renewSignedHead, reportDamage } from "./signed-head.ts";
import { audit } from "./trail.ts";

/** If more rows are due, the next run follows soon. */
export const maxRowsPerRun = 100_000;
/**
 * The number of rows per statement. It is small, because the index entries of the rows can be in
 * many pages that must be read first.
 */
const rowsAtOnce = 20;
/** The number of rows per transaction. It is small for the same reason. */
const mostAtOnce = 500;

/**
 * Deletes the rows older than `before` (Unix milliseconds), from the beginning of the chain, and
 * returns how many. A row that does not match is kept as evidence, with all rows after it. A row
 * that a clock jump dated in the future does not stop the run: otherwise, it would keep the rows
 * after it for years.
 */
export async function pruneAuditEvents(core: Core, before: number): Promise<number> {
  const { after, count } = await findOldRows(core, before);
  if (count === 0 || core.stopping.aborted) return 0;
  const upTo = after + count;
  const ctx = systemContext(core);
  let isOurs = false;
  const deleted = await inTransactions(core, count, async (tx, limit, isOver) => {
    if (isOurs) return deleteSome(core, tx, upTo, limit, isOver);
    // Another process may have pruned in the meantime.
    if (((await newestCheckpoint(tx)) ?? genesis).seq !== after) return { count: 0, isLast: true };
    const metadata = { fromSeq: after + 1, upToSeq: upTo, before: isoTime(before) };
    await audit(ctx, tx, { action: "audit.pruned", targetId: null, metadata });
    const slice = await deleteSome(core, tx, upTo, limit, isOver);
    await renewSignedHead(core, tx, await signedHeadProblem(core, tx));
    tx.afterCommit(() => {
      isOurs = true;
    });
    return slice;
  });
  return Math.min(deleted, count);
}

/** Returns the rows to delete: `count` rows after the checkpoint. */
async function findOldRows(core: Core, before: number): Promise<{ after: number; count: number }> {
  const { db, auditKey, log } = core;
  const checkpoint = await newestCheckpoint(db.read);
  const start = checkpoint ?? genesis;
  const found = { after: start.seq, count: 0 };
  if (checkpoint && !isSignatureValid(auditKey, "checkpoint", checkpoint)) {
    log.error({ seq: checkpoint.seq }, "the audit trail's checkpoint is forged; nothing is pruned");
    return found;
  }
  const head = await auditHead(db.read);
  if (!head) return found;
  const now = core.now();
  const { invalidRow } = await walkChain(db.read, auditKey, {
    start,
    upTo: Math.min(head.seq - 1, start.seq + maxRowsPerRun),
    visit({ seq, at }) {
      if (at < before) found.count = seq - start.seq;
      return (at < before || at > now) && !core.stopping.aborted;
    },
  });
  if (invalidRow && (await newestCheckpoint(db.read))?.seq === checkpoint?.seq) {
    log.error(
      invalidRow,
      "a row of the audit trail does not match; nothing is pruned from there on",
    );
    await reportDamage(core, invalidRow);
  }
  return found;
}

/** Deletes the oldest verified rows. Their numbers have no gaps. */
async function deleteSome(
  core: Core,
  tx: Tx,
  upTo: number,
  limit: number,
  isOver: () => boolean,
): Promise<Slice> {
  let { seq } = (await newestCheckpoint(tx)) ?? genesis;
  let count = 0;
  while (seq < upTo && count < Math.min(limit, mostAtOnce)) {
    const link = await findAuditLink(tx, Math.min(seq + rowsAtOnce, upTo));
    if (!link) return { count, isLast: true };
    await moveCheckpoint(tx, core.auditKey, link);
    count += await deleteOldestAuditEvents(tx, link.seq);
    seq = link.seq;
    if (isOver()) break;
  }
  return { count, isLast: seq >= upTo };
}
