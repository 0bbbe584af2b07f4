// Finds open commands whose deadlines have passed, and moves deadlines.

import type { Command } from "../../../domain/commands/commands.ts";
import { toFlag } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { run } from "../../sql-tag.ts";
import { readCommands } from "./commands.ts";

/** The concatenation keeps the planner from using the index on the status. */
const isOpen = "status || '' IN ('PENDING', 'RUNNING')";

/** The most overdue commands come first. */
export function listExpiredCommands(db: Reader, now: number, limit: number): Promise<Command[]> {
  return readCommands(
    db,
    `WHERE completed_at IS NULL AND expires_at <= ? AND ${isOpen} ORDER BY expires_at LIMIT ?`,
    now,
    limit,
  );
}

/** Describes how to move the deadlines of open commands. Times are in Unix milliseconds. */
interface OpenCommandsMove {
  byMs: number;
  since: number;
  until: number;
  /** Whether to skip commands that no agent has received. */
  startedOnly: boolean;
}

/**
 * Skips commands that began between `since` and `until`. Returns how many it moved. Also moves
 * deliveries back to `until`, like the times with which they are compared (`clampInstances`): after
 * the clock was set back, they can be in the future.
 */
export function moveOpenCommands(
  tx: Tx,
  { byMs, since, until, startedOnly }: OpenCommandsMove,
): Promise<number> {
  const end = Math.ceil(until);
  return run(tx)`UPDATE commands SET expires_at = expires_at + ${Math.round(byMs)},
       started_at = CASE WHEN started_at > ${end} THEN ${end} ELSE started_at END
     WHERE completed_at IS NULL AND NOT COALESCE(started_at, created_at)
       BETWEEN ${Math.floor(since)} AND ${end}
       AND (started_at IS NOT NULL OR ${toFlag(startedOnly)} = 0)`;
}
