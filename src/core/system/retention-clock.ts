// Stores the clock that decides deletions. (docs/decisions/0016-retention.md)

import {
  heldBackMs,
  moveRetentionClock,
  type RetentionClock,
} from "../../domain/retention-clock.ts";
import { dayMs, hourMs } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import {
  findRetentionClock,
  keepRetentionClock,
  newestTime,
} from "../../store/tables/retention-clock.ts";
import { audit } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";

/** If the wall clock is ahead by less than this, nothing is logged. */
const noticeMs = dayMs;

/**
 * Returns the time that deletions are based on, in Unix milliseconds, never ahead of the wall
 * clock. A database without a stored clock starts with the time of its newest record.
 */
export async function timeToDeleteBy(core: Core): Promise<number> {
  const { retention } = core;
  const monotonic = core.monotonic();
  const wall = core.now();
  const passed = {
    wall,
    ranMs: Math.max(0, monotonic - (retention.movedAt ?? core.startedAt)),
    hasJumped: core.statusClock.isDoubtful(),
  };
  const after = await core.db.write(async (tx) => {
    tx.concerns();
    const moved = moveRetentionClock(await keptClock(tx), passed);
    await keepRetentionClock(tx, moved);
    return moved;
  });
  retention.movedAt = monotonic;
  if (heldBackMs(after, wall) > noticeMs) warn(core, after.at);
  return Math.min(wall, after.at);
}

export async function trustWallClock(ctx: Ctx): Promise<void> {
  await ctx.core.db.write(async (tx) => {
    const { at } = await keptClock(tx);
    await keepRetentionClock(tx, { at: tx.now, doubtedMs: 0 });
    const metadata = { retentionClock: { from: isoTime(at), to: isoTime(tx.now) } };
    await audit(ctx, tx, { action: "settings.updated", targetId: null, metadata });
  });
  ctx.core.statusClock.trust();
}

async function keptClock(tx: Tx): Promise<RetentionClock> {
  const kept = await findRetentionClock(tx);
  return kept ?? { at: (await newestTime(tx)) ?? tx.now, doubtedMs: 0 };
}

/** Logs at most once an hour. */
function warn({ log, monotonic, retention }: Core, at: number): void {
  const now = monotonic();
  if (now - retention.warnedAt < hourMs) return;
  retention.warnedAt = now;
  log.warn(
    { retentionClock: isoTime(at) },
    "the wall clock is more than a day ahead of what this database has seen: deletion by age is " +
      "held back; if the clock is right, run `platformctl maintenance run --trust-clock`",
  );
}
