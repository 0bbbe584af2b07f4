// Audits events that one actor can repeat without limit: the first events have their own rows, and
// the others are counted in summary rows. A crash loses the counts.
// (docs/decisions/0010-audit-trail.md)

import { targetTypeOf } from "../../domain/audit/audit-events.ts";
import { type SumRule, sumRules } from "../../domain/audit/summary-rows.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import type { RepeatedEntry, Sum } from "./summary-rows.ts";
import { audit } from "./trail.ts";

/** Adds a row to the transaction, or counts the event. The summary row lists counts per `item`. */
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

/** Audits an event that belongs to no change. Writes only if the event gets its own row. */
export function noteRepeated(ctx: Ctx, entry: RepeatedEntry, item: string = itemOf(entry)) {
  return noteAllRepeated(ctx, [entry], () => item);
}

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

function itemOf({ targetId, action }: RepeatedEntry): string {
  return targetId ?? targetTypeOf(action);
}

/** Writes the summary rows of the windows that have ended; with `now`, of all windows. */
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

/** The row has no address, because its events came from many requests. */
function auditSum(core: Core, tx: Tx, sum: Sum): Promise<void> {
  const { entry, count, isMixed, firstAt, lastAt } = sum;
  const rule: SumRule = sumRules[entry.action];
  return audit({ ...systemContext(core), principal: sum.principal }, tx, {
    ...entry,
    ...(isMixed ? { targetId: null } : {}),
    message: `${count} more ${rule.noun} within ${spanOf(rule, lastAt - firstAt)}`,
    metadata: {
      // The metadata of one target does not describe the other targets.
      ...(isMixed ? {} : entry.metadata),
      ...countsOf(rule, sum),
      summed: { count, firstAt: isoTime(firstAt), lastAt: isoTime(lastAt) },
    },
  });
}

function countsOf({ items }: SumRule, { entry, counts, isMixed }: Sum): Record<string, unknown> {
  if (typeof items !== "string") {
    return Object.fromEntries(items.map((name) => [name, counts.get(name) ?? 0]));
  }
  // A single target needs no counts, because it is the only item.
  if (!isMixed && entry.targetId !== null) return {};
  return { [items]: Object.fromEntries([...counts].sort(([, a], [, b]) => b - a)) };
}

/** The span is longer than the window if the row could not be written in time. */
function spanOf({ windowSeconds }: SumRule, spanMs: number): string {
  const minutes = Math.max(windowSeconds / 60, Math.ceil(spanMs / 60_000));
  if (minutes === 1) return "a minute";
  return minutes === 60 ? "an hour" : `${minutes} minutes`;
}
