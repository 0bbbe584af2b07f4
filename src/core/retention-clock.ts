// Keeps the clock by which things are deleted for good (domain/retention-clock.ts). In memory is only
// when it was moved last.

import { moveRetentionClock, type RetentionClock } from "../domain/retention-clock.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { Tx } from "../store/database.ts";
import { findRetentionClock, keepRetentionClock, newestTime } from "../store/retention-clock.ts";
import { audit } from "./audit-trail.ts";
import type { Core, Ctx } from "./context.ts";

const hourMs = 60 * 60 * 1000;
/** What a day without a running service can explain is not worth a line in the log. */
const noticeMs = 24 * hourMs;

export class RetentionClockKeeper {
  /** On the monotonic clock; null before the first time. */
  #movedAt: number | null = null;
  #warnedAt = -Infinity;

  /**
   * Moves the clock on and writes it down. Returns the time to delete by, in Unix milliseconds: never
   * ahead of the wall clock. A database that has none begins with the time of the newest thing in it.
   */
  async move(core: Core): Promise<number> {
    const { statusClock } = core;
    const monotonic = core.monotonic();
    const wall = core.now();
    const passed = {
      wall,
      ranMs: Math.max(0, monotonic - (this.#movedAt ?? core.startedAt)),
      hasJumped: statusClock.isDoubtful(),
    };
    const { at } = await core.db.write(async (tx) => {
      const after = moveRetentionClock(await this.#before(tx), passed);
      await keepRetentionClock(tx, after);
      return after;
    });
    this.#movedAt = monotonic;
    if (wall - at > noticeMs) this.#warn(core, at, monotonic);
    return Math.min(wall, at);
  }

  /** Believes the wall clock from now on: somebody who may vouches for it. */
  async trustWallClock(ctx: Ctx): Promise<void> {
    await ctx.core.db.write(async (tx) => {
      const { at } = await this.#before(tx);
      await keepRetentionClock(tx, { at: tx.now, doubtedMs: 0 });
      await audit(ctx, tx, {
        action: "settings.updated",
        targetType: "settings",
        targetId: null,
        metadata: { retentionClock: { from: isoTime(at), to: isoTime(tx.now) } },
      });
    });
    ctx.core.statusClock.trust();
  }

  async #before(tx: Tx): Promise<RetentionClock> {
    const kept = await findRetentionClock(tx);
    return kept ?? { at: (await newestTime(tx)) ?? tx.now, doubtedMs: 0 };
  }

  #warn({ log }: Core, at: number, monotonic: number): void {
    if (monotonic - this.#warnedAt < hourMs) return;
    this.#warnedAt = monotonic;
    log.warn(
      { retentionClock: isoTime(at) },
      "the wall clock is more than a day ahead of what this database has seen: deletion by age is " +
        "held back; if the clock is right, run `platformctl maintenance run --trust-clock`",
    );
  }
}
