// Open commands keep the time that they have left when the wall clock is set, forward or back: under a
// running service, or between two runs of it. (docs/decisions/0018-time-and-randomness.md)

import { dayMs } from "../../lib/duration.ts";
import { hasRestoreNote } from "../../store/files/restore-note.ts";
import { moveOpenCommands } from "../../store/tables/commands.ts";
import { lastWallClock, noteWallClock } from "../../store/tables/retention-clock.ts";
import type { Core } from "../context.ts";
import { jumpMs } from "../memory/status-clock.ts";

/**
 * A server may have been off for so long. When the wall clock is further ahead it was probably set, so that
 * a command that an agent is working on may still report its result. What no agent has received ends all the
 * same: to run an action weeks late is worse than to run it again on purpose.
 */
const longestOutageMs = 7 * dayMs;

/** Moves the deadlines of open commands by each jump of the wall clock, once. */
export async function moveDeadlines(core: Core): Promise<void> {
  await findEarlierJump(core);
  const { db, statusClock, doorbell, log } = core;
  const jumps = statusClock.jumps.splice(0);
  if (jumps.length === 0) return;
  const move = db.write(async (tx) => {
    let moved = 0;
    for (const { byMs, since, until, startedOnly } of jumps) {
      const move = { byMs, since, until: until ?? tx.now, startedOnly };
      moved += await moveOpenCommands(tx, move);
    }
    // Whoever starts next on this database does not find the same jump.
    await noteWallClock(tx);
    return moved;
  });
  const moved = await move.catch((error: unknown) => {
    statusClock.jumps.unshift(...jumps);
    throw error;
  });
  if (moved === 0) return;
  log.info({ commands: moved }, "open commands keep their time after the jump of the clock");
  // Polls have taken those that wait for expired.
  for (const key of doorbell.keys()) doorbell.ring(key);
}

/** Whether the wall clock was set since the last run on this database; looked for once. */
async function findEarlierJump({ db, retention, statusClock, now }: Core): Promise<void> {
  if (retention.hasLookedBack) return;
  const wall = now();
  const last = await lastWallClock(db.read, wall);
  // The commands of a backup are as old as it is, whatever the clock shows.
  const isRestored = await hasRestoreNote(db.read);
  if (retention.hasLookedBack) return;
  retention.hasLookedBack = true;
  if (last === null || isRestored) return;
  const byMs = wall - last;
  const isOutage = byMs > -jumpMs && byMs <= longestOutageMs;
  if (!isOutage) {
    statusClock.jumps.push({ byMs, since: wall, until: null, startedOnly: byMs > 0 });
  }
}
