// Keeps the remaining time of open commands, and of the waits and health gates of rollouts, when
// the wall clock is set forward or back. This can happen while the service runs or between two
// runs.
// (docs/decisions/0018-time-and-randomness.md)

import { dayMs } from "../../lib/duration.ts";
import type { Tx } from "../../store/database.ts";
import { hasRestoreNote } from "../../store/files/restore-note.ts";
import {
  findMovedJump,
  findRetentionClock,
  type MovedJump,
  writeMovedJump,
} from "../../store/tables/clock.ts";
import { moveOpenCommands } from "../../store/tables/commands/command-deadlines.ts";
import { clampInstances } from "../../store/tables/fleet/agent-instances.ts";
import { moveHealthChecks } from "../../store/tables/rollouts/rollout-targets.ts";
import { moveWaveEnds } from "../../store/tables/rollouts/rollouts.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core } from "../context.ts";
import { moveClock } from "./retention-clock.ts";
import { jumpMs } from "./status-clock.ts";

/**
 * A longer gap between two runs counts as a clock jump, so that running commands can still report.
 * Pending commands expire anyway: an action that runs weeks late does more harm than one that must
 * be requested again.
 */
const longestOutageMs = 7 * dayMs;

/**
 * Jumps that two nodes notice within this time are the same jump: each node notices it within
 * seconds.
 */
const sameJumpMs = 60_000;

/**
 * Moves the deadlines of open commands, the ends of waves and the times of health checks once for
 * each jump of the wall clock, although every process notices it. In a cluster, the node that has
 * the lock does this. Must be called every second.
 */
export async function moveDeadlines(core: Core): Promise<void> {
  const { db, statusClock, log } = core;
  if (!(await core.leadership.acquire())) return dropMovedJumps(core);
  await findEarlierJump(core);
  const jumps = statusClock.jumps.splice(0);
  if (jumps.length === 0) return;
  statusClock.moves++;
  const move = db.write(async (tx) => {
    let moved = 0;
    let { movedJump } = statusClock;
    for (const { byMs, since, until, startedOnly } of jumps) {
      const jump = { byMs, since };
      if (await isMovedByAnother(tx, jump, movedJump)) continue;
      // Stored so that other processes that have noticed the jump do not move anything again.
      await writeMovedJump(tx, jump);
      movedJump = jump;
      const span = { ...jump, until: until ?? tx.now };
      moved += await moveOpenCommands(tx, { ...span, startedOnly });
      await moveWaveEnds(tx, span);
      await moveHealthChecks(tx, span);
    }
    const clamped = await clampInstances(tx);
    // Stored so that the next start does not find the same jump.
    await moveClock(core, tx);
    if (moved + clamped > 0) noteChange(core, tx, "deadlines");
    return { moved, movedJump };
  });
  const done = move.catch((error: unknown) => {
    statusClock.jumps.unshift(...jumps);
    throw error;
  });
  const { moved, movedJump } = await done.finally(() => {
    statusClock.moves--;
  });
  statusClock.movedJump = movedJump;
  if (moved === 0) return;
  log.info({ commands: moved }, "open commands keep their remaining time after the clock jump");
}

/**
 * Drops the jumps that another node should have handled by now. Newer jumps are kept, in case that
 * node has just stopped.
 */
function dropMovedJumps({ statusClock: { jumps }, monotonic }: Core): void {
  const before = monotonic() - sameJumpMs;
  while (jumps[0] && jumps[0].noticedAt < before) jumps.shift();
}

/**
 * `own` is the last jump that this process has handled. It is always earlier than `jump`, because a
 * process notices each jump only once.
 */
async function isMovedByAnother(tx: Tx, jump: MovedJump, own: MovedJump | null): Promise<boolean> {
  const last = await findMovedJump(tx);
  return (
    last !== null &&
    last.since !== own?.since &&
    Math.abs(last.byMs - jump.byMs) < jumpMs &&
    Math.abs(last.since - jump.since) < sameJumpMs
  );
}

/** Checks once whether the wall clock was set since the last run on this database. */
async function findEarlierJump(core: Core): Promise<void> {
  const { db, statusClock, now, monotonic } = core;
  if (statusClock.hasLookedBack) return;
  const last = await findRetentionClock(db.read);
  // The commands of a restored backup really are old, so they keep their deadlines.
  const isRestored = await hasRestoreNote(db.read);
  if (statusClock.hasLookedBack) return;
  statusClock.hasLookedBack = true;
  if (last === null || isRestored) return;
  const wall = now();
  const byMs = wall - last.movedAt;
  const isOutage = byMs > -jumpMs && byMs <= longestOutageMs;
  if (!isOutage) {
    const noticed = { noticedAt: monotonic(), startedOnly: byMs > 0 };
    statusClock.jumps.push({ byMs, since: wall, until: null, ...noticed });
  }
}
