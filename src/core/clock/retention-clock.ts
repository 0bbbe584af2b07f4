// The clock that decides when data is deleted. Its whole state is in the database, so it is the
// same for all servers and after a restart. (docs/decisions/0018-time-and-randomness.md)

import {
  isFarFrom,
  moveRetentionClock,
  type RetentionClock,
} from "../../domain/retention-clock.ts";
import { hourMs } from "../../lib/duration.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
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

/** Like `timeToDeleteBy`, but for a process that is not a server: stores nothing. */
export async function findTimeToDeleteBy(core: Core): Promise<number> {
  const { at, movedAt } = await movedClock(core, core.db.read, core.now());
  return Math.min(movedAt, at);
}

export async function moveClock(core: Core, tx: Tx): Promise<RetentionClock> {
  const moved = await movedClock(core, tx, tx.now);
  await keepRetentionClock(tx, moved);
  return moved;
}

async function movedClock(core: Core, db: Reader, now: number): Promise<RetentionClock> {
  const { statusClock, monotonic, startedAt } = core;
  return moveRetentionClock(await keptClock(db, now), {
    now,
    steadyMs: Math.min(statusClock.steadyForMs(), monotonic() - startedAt),
    notForwardMs: statusClock.notForwardForMs(),
  });
}

export async function trustWallClock(ctx: Ctx): Promise<void> {
  await ctx.core.db.write(async (tx) => {
    const { at, movedAt } = await keptClock(tx, tx.now);
    const isServer = ctx.principal.kind !== "local";
    const trusted = { at: tx.now, doubtedMs: 0, movedAt: isServer ? tx.now : movedAt };
    await keepRetentionClock(tx, trusted);
    const metadata = { retentionClock: { from: isoTime(at), to: isoTime(tx.now) } };
    await audit(ctx, tx, { action: "settings.updated", targetId: null, metadata });
  });
}

async function keptClock(db: Reader, now: number): Promise<RetentionClock> {
  const kept = await findRetentionClock(db);
  return kept ?? { at: now, doubtedMs: 0, movedAt: now };
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
