// Keeps the remaining time of open commands, and of the waits and health gates of rollouts, when
// the wall clock is set forward or back. Corrects times that are then in the future, except those
// that the sweep corrects. The clock can be set while the service runs or between two runs.
// (docs/decisions/0018-time-and-randomness.md)

import type { RetentionClock } from "../../domain/retention-clock.ts";
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
import { clampAttention } from "../../store/tables/fleet/attention.ts";
import { clampPeriods } from "../../store/tables/fleet/service-history.ts";
import { moveHealthChecks } from "../../store/tables/rollouts/rollout-targets.ts";
import { moveWaveEnds } from "../../store/tables/rollouts/rollouts.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core } from "../context.ts";
import { moveClock } from "./retention-clock.ts";
import { type ClockJump, jumpMs } from "./status-clock.ts";

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
  const { db, statusClock } = core;
  if (!(await core.leadership.acquire())) return dropMovedJumps(core);
  const jumps = statusClock.jumps.splice(0);
  if (jumps.length === 0) return;
  statusClock.moves++;
  const move = db.write(async (tx) => {
    let { movedJump } = statusClock;
    for (const jump of jumps) {
      if (await isMovedByAnother(tx, jump, movedJump)) continue;
      await moveFor(core, tx, jump);
      movedJump = jump;
    }
    // Stored so that the next start does not find the same jump.
    await moveClock(core, tx);
  });
  const done = move.catch((error: unknown) => {
    statusClock.jumps.unshift(...jumps);
    throw error;
  });
  await done.finally(() => {
    statusClock.moves--;
  });
}

type JumpToMove = MovedJump & Pick<ClockJump, "until" | "startedOnly">;

async function moveFor(core: Core, tx: Tx, jump: JumpToMove): Promise<void> {
  const { statusClock, log } = core;
  const { byMs, since, startedOnly } = jump;
  // Stored so that other processes that have noticed the jump do not move anything again.
  await writeMovedJump(tx, jump);
  const span = { byMs, since, until: jump.until ?? tx.now };
  const commands = await moveOpenCommands(tx, { ...span, startedOnly });
  await moveWaveEnds(tx, span);
  await moveHealthChecks(tx, span);
  await clampPeriods(tx);
  await clampAttention(tx);
  if (commands + (await clampInstances(tx)) > 0) noteChange(core, tx, "deadlines");
  tx.afterCommit(() => {
    statusClock.movedJump = jump;
    if (commands === 0) return;
    log.info({ commands }, "open commands keep their remaining time after the clock jump");
  });
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

/**
 * Moves the deadlines if the wall clock was set after a server last ran. Moves the retention clock
 * in the same transaction, so that no other process finds the same jump. Returns the retention
 * clock before that; null if the database was empty. A server calls this before it does other work:
 * later, it notices jumps itself.
 */
export async function lookBack(core: Core, tx: Tx): Promise<RetentionClock | null> {
  const { statusClock } = core;
  // `byMs` includes the jumps that this process can notice now.
  if (statusClock.hasJump()) statusClock.jumps.length = 0;
  const last = await findRetentionClock(tx);
  const byMs = last === null ? 0 : tx.now - last.movedAt;
  const isOutage = byMs > -jumpMs && byMs <= longestOutageMs;
  // The commands of a restored backup really are old, so they keep their deadlines.
  if (!isOutage && !(await hasRestoreNote(tx))) {
    await moveFor(core, tx, { byMs, since: tx.now, until: null, startedOnly: byMs > 0 });
  }
  await moveClock(core, tx);
  return last;
}
