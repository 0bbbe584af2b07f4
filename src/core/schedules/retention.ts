// Deletes old runs, at the same age as commands.

import type { Tx } from "../../store/database.ts";
import { deleteEndedRuns } from "../../store/tables/schedules/schedule-runs.ts";
import type { Core } from "../context.ts";
import { inBatches } from "../short-transactions.ts";

const runsAtOnce = 50;

/** `before` is in Unix milliseconds. Returns how many runs were deleted. */
export function pruneScheduleRuns(core: Core, before: number): Promise<number> {
  return inBatches(core, runsAtOnce, (tx: Tx, limit) => deleteEndedRuns(tx, before, limit));
}
