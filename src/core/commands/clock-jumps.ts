// Keeps the remaining time of open commands when the wall clock is set forward or back, while the
// service runs or between two runs. (docs/decisions/0018-time-and-randomness.md)

import { dayMs } from "../../lib/duration.ts";
import { hasRestoreNote } from "../../store/files/restore-note.ts";
import { moveOpenCommands } from "../../store/tables/commands.ts";
import { lastWallClock, noteWallClock } from "../../store/tables/retention-clock.ts";
import type { Core } from "../context.ts";
import { jumpMs } from "../memory/status-clock.ts";

/**
 * A longer gap between two runs counts as a clock jump, so that running commands can still report.
 * Pending commands expire anyway: an action that runs weeks late does more harm than a new request.
 */
const longestOutageMs = 7 * dayMs;

/** Moves the deadlines of open commands once for each jump of the wall clock. */
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
    // Stored so that the next start does not find the same jump.
    await noteWallClock(tx);
    return moved;
  });
  const moved = await move.catch((error: unknown) => {
    statusClock.jumps.unshift(...jumps);
    throw error;
  });
  if (moved === 0) return;
  log.info({ commands: moved }, "open commands keep their remaining time after the clock jump");
  // Waiting polls treat the pending commands as expired, so they must look again.
  for (const key of doorbell.keys()) doorbell.ring(key);
}

/** Checks once whether the wall clock was set since the last run on this database. */
async function findEarlierJump({ db, retention, statusClock, now }: Core): Promise<void> {
  if (retention.hasLookedBack) return;
  const wall = now();
  const last = await lastWallClock(db.read, wall);
  // The commands of a restored backup are really old, so they keep their deadlines.
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
