// Keeps the clock by which things are deleted for good (domain/retention-clock.ts) in the database.
// (docs/decisions/0016-retention.md)

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

/** A wall clock that is ahead by less is not worth a line in the log. */
const noticeMs = dayMs;

/**
 * Moves the clock on and writes it down. Returns the time to delete by, in Unix milliseconds: never
 * ahead of the wall clock. A database that has none begins with the time of the newest thing in it.
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
    const moved = moveRetentionClock(await keptClock(tx), passed);
    await keepRetentionClock(tx, moved);
    return moved;
  });
  retention.movedAt = monotonic;
  if (heldBackMs(after, wall) > noticeMs) warn(core, after.at);
  return Math.min(wall, after.at);
}

/** Believes the wall clock from now on: somebody who may vouches for it. */
export async function trustWallClock(ctx: Ctx): Promise<void> {
  await ctx.core.db.write(async (tx) => {
    const { at } = await keptClock(tx);
    await keepRetentionClock(tx, { at: tx.now, doubtedMs: 0 });
    await audit(ctx, tx, {
      action: "settings.updated",
      targetId: null,
      metadata: { retentionClock: { from: isoTime(at), to: isoTime(tx.now) } },
    });
  });
  ctx.core.statusClock.trust();
}

async function keptClock(tx: Tx): Promise<RetentionClock> {
  const kept = await findRetentionClock(tx);
  return kept ?? { at: (await newestTime(tx)) ?? tx.now, doubtedMs: 0 };
}

/** Once an hour. */
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
