// A server comes to a database that was without one: nobody could call meanwhile, and the wall clock may
// have been set.

import { lastWallClock } from "../../store/tables/retention-clock.ts";
import { moveDeadlines } from "../commands/deadlines.ts";
import type { Core } from "../context.ts";

/**
 * For a server that starts, before anybody is served and anything is written by its clock. Whoever was
 * there when the last one ended counts as there until the offline threshold has passed: what an agent
 * has is not taken by the first that calls.
 */
export async function noteAbsence(core: Core): Promise<void> {
  const last = await lastWallClock(core.db.read, core.now());
  if (last !== null) core.statusClock.noteAbsence(last);
  await moveDeadlines(core);
}
