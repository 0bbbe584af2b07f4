// Reads which schedules wait for approval.

import type { ApprovalState } from "../../../domain/approvals/approvals.ts";
import { marks } from "../../blocks.ts";
import type { Reader } from "../../database.ts";

/** The newest request for the current content of a schedule. */
export interface ScheduleApproval {
  scheduleId: string;
  approvalId: string;
  state: ApprovalState;
}

/**
 * Returns the newest request of each schedule, if it counts: a request counts while it is open, and
 * then until the schedule is saved again. A change to the content makes open requests OUTDATED.
 */
export async function findScheduleApprovals(
  db: Reader,
  scheduleIds: readonly string[],
): Promise<Map<string, ScheduleApproval>> {
  if (scheduleIds.length === 0) return new Map();
  const rows = await db.all<ScheduleApproval>(
    `SELECT a.subject_id AS "scheduleId", a.id AS "approvalId", a.state
     FROM approvals a JOIN schedules s ON s.id = a.subject_id
     WHERE a.subject_id IN (${marks(scheduleIds.length)}) AND a.state <> 'OUTDATED'
       AND (a.ended_at IS NULL OR a.ended_at >= s.updated_at)
       AND a.id = (SELECT MAX(n.id) FROM approvals n WHERE n.subject_id = a.subject_id)`,
    ...scheduleIds,
  );
  return new Map(rows.map((row) => [row.scheduleId, row]));
}
