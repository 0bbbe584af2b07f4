// Audit events that one actor may repeat as often as it likes: the first ones have their row at once, what
// comes too often is summed, and the sum is a row of the same action. docs/audit.md "Repeated events".
//
// An event that belongs to a change calls `auditRepeated` where it would call `audit`: inside the
// transaction. One that changes nothing, such as a refusal, calls `noteRepeated`, which needs a transaction
// for the rows in full only. Which actions are summed, and from when on, is a line in
// domain/audit/sums.ts; nothing else is to be done: the job "sum-repeated-events" writes the sums of
// windows that are over, and a clean stop writes all of them. A crash loses the counts of the window
// that was not over; the changes themselves and the rows in full are there.
// (docs/decisions/0010-audit-trail.md)

import { type SumRule, sumRules } from "../../domain/audit/sums.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import type { RepeatedEntry, Sum } from "./sums.ts";
import { audit } from "./trail.ts";

/**
 * Adds the row in the transaction of its change, or counts it for the sum. `item` is what of the actor's is
 * repeated, by the name that the sum lists it by: a service's code, say. The target, when nothing is given.
 */
export async function auditRepeated(
  ctx: Ctx,
  tx: Tx,
  entry: RepeatedEntry,
  item: string = itemOf(entry),
): Promise<void> {
  const { core, principal } = ctx;
  const { inFull, undo } = core.auditSums.note({ entry, principal, item, at: tx.now });
  tx.afterRollback(undo);
  if (inFull) await audit(ctx, tx, entry);
}

/** The same for an event without a change: the row in full has its own transaction, a count has none. */
export function noteRepeated(
  ctx: Ctx,
  entry: RepeatedEntry,
  item: string = itemOf(entry),
): Promise<void> {
  return noteAllRepeated(ctx, [entry], () => item);
}

/** Several events without a change: those that have a row in full share a transaction. */
export async function noteAllRepeated(
  ctx: Ctx,
  entries: readonly RepeatedEntry[],
  nameOf: (entry: RepeatedEntry) => string = itemOf,
): Promise<void> {
  const { core, principal } = ctx;
  const at = core.now();
  const noted = entries.map((entry) => {
    return { entry, ...core.auditSums.note({ entry, principal, item: nameOf(entry), at }) };
  });
  const inFull = noted.filter((each) => each.inFull);
  if (inFull.length === 0) return;
  try {
    await core.db.write(async (tx) => {
      for (const { entry } of inFull) await audit(ctx, tx, entry);
    });
  } catch (error) {
    for (const { undo } of inFull) undo();
    throw error;
  }
}

function itemOf({ targetId, targetType }: RepeatedEntry): string {
  return targetId ?? targetType;
}

/** Writes the sums of windows that are over, and `now` those of all. */
export async function writeAuditSums(core: Core, now = false): Promise<void> {
  const sums = core.auditSums.take(now);
  if (sums.length === 0) return;
  try {
    await core.db.write(async (tx) => {
      for (const sum of sums) await auditSum(core, tx, sum);
    });
  } catch (error) {
    core.auditSums.restore(sums);
    throw error;
  }
}

/** Whose they are, but from nowhere in particular: they came with many requests. */
function auditSum(core: Core, tx: Tx, sum: Sum): Promise<void> {
  const { entry, count, isMixed, firstAt, lastAt } = sum;
  const rule: SumRule = sumRules[entry.action];
  return audit({ ...systemContext(core), principal: sum.principal }, tx, {
    ...entry,
    ...(isMixed ? { targetId: null } : {}),
    message: `${count} more ${rule.noun} within ${spanOf(rule, lastAt - firstAt)}`,
    metadata: {
      // Of several targets none speaks for the others.
      ...(isMixed ? {} : entry.metadata),
      ...countsOf(rule, sum),
      summed: { count, firstAt: isoTime(firstAt), lastAt: isoTime(lastAt) },
    },
  });
}

function countsOf({ items }: SumRule, { counts, isMixed }: Sum): Record<string, unknown> {
  if (typeof items !== "string") {
    return Object.fromEntries(items.map((name) => [name, counts.get(name) ?? 0]));
  }
  const mostFirst = [...counts].sort(([, a], [, b]) => b - a);
  return isMixed ? { [items]: Object.fromEntries(mostFirst) } : {};
}

/** In words: the window, or more than that when the sum could not be written in time. */
function spanOf({ windowSeconds }: SumRule, spanMs: number): string {
  const minutes = Math.max(windowSeconds / 60, Math.ceil(spanMs / 60_000));
  if (minutes === 1) return "a minute";
  return minutes === 60 ? "an hour" : `${minutes} minutes`;
}
