// While no server ran, no agent could call, and the wall clock may have been set.

import { lastWallClock } from "../../store/tables/retention-clock.ts";
import { moveDeadlines } from "../commands/clock-jumps.ts";
import type { Core } from "../context.ts";

/**
 * Must run before the server accepts calls or writes times. Agents that were alive when the last
 * server stopped count as alive until the offline threshold has passed, so that they keep their
 * codes and services.
 */
export async function noteAbsence(core: Core): Promise<void> {
  const last = await lastWallClock(core.db.read, core.now());
  if (last !== null) core.statusClock.noteAbsence(last);
  await moveDeadlines(core);
}
