// The clock that decides when data is deleted. Its whole state is in the database, so it is the
// same for all servers and after a restart. (docs/decisions/0018-time-and-randomness.md)

import {
  isFarFrom,
  moveRetentionClock,
  type RetentionClock,
} from "../../domain/retention-clock.ts";
import { hourMs } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import { findRetentionClock, keepRetentionClock } from "../../store/tables/clock.ts";
import { audit } from "../audit/trail.ts";
import type { Core, Ctx } from "../context.ts";

/**
 * Moves the clock, and returns the time by which data is deleted, in Unix milliseconds. This time
 * is never ahead of the wall clock. Must be called every minute, because it also records that a
 * server ran.
 */
export async function timeToDeleteBy(core: Core): Promise<number> {
  const clock = await core.db.write((tx) => moveClock(core, tx));
  if (isFarFrom(clock, clock.movedAt)) warn(core, clock.at);
  return Math.min(clock.movedAt, clock.at);
}

export async function moveClock(core: Core, tx: Tx): Promise<RetentionClock> {
  const { statusClock, monotonic, startedAt } = core;
  const moved = moveRetentionClock(await keptClock(tx), {
    now: tx.now,
    steadyMs: Math.min(statusClock.steadyForMs(), monotonic() - startedAt),
    notForwardMs: statusClock.notForwardForMs(),
  });
  await keepRetentionClock(tx, moved);
  return moved;
}

export async function trustWallClock(ctx: Ctx): Promise<void> {
  await ctx.core.db.write(async (tx) => {
    const { at } = await keptClock(tx);
    await keepRetentionClock(tx, { at: tx.now, doubtedMs: 0 });
    const metadata = { retentionClock: { from: isoTime(at), to: isoTime(tx.now) } };
    await audit(ctx, tx, { action: "settings.updated", targetId: null, metadata });
  });
}

async function keptClock(tx: Tx): Promise<RetentionClock> {
  const kept = await findRetentionClock(tx);
  return kept ?? { at: tx.now, doubtedMs: 0, movedAt: tx.now };
}

/** Logs at most once an hour. */
function warn({ log, monotonic, retention }: Core, at: number): void {
  const now = monotonic();
  if (now - retention.warnedAt < hourMs) return;
  retention.warnedAt = now;
  log.warn(
    { retentionClock: isoTime(at) },
    "the wall clock differs by more than a day from the times in this database: deletion by age is " +
      "held back, and schedules wait for up to 10 minutes; if the clock is right, run `platformctl " +
      "maintenance run --trust-clock`",
  );
}
