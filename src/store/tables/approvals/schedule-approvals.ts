// Reads which schedules wait for approval.

import type { ApprovalState } from "../../../domain/approvals/approvals.ts";
import { listFinder } from "../../rows.ts";

/** The newest request for the current content of a schedule. */
export interface ScheduleApproval {
  approvalId: string;
  state: ApprovalState;
}

/**
 * Returns the newest request of each schedule, if it counts: a request counts while it is open, and
 * then until the schedule is saved again. A change to the content makes open requests OUTDATED.
 */
export const findScheduleApprovals = listFinder(
  (places) => `SELECT a.subject_id AS "key", a.id AS "approvalId", a.state
     FROM approvals a JOIN schedules s ON s.id = a.subject_id
     WHERE a.subject_id IN (${places}) AND a.state <> 'OUTDATED'
       AND (a.ended_at IS NULL OR a.ended_at >= s.updated_at)
       AND a.id = (SELECT MAX(n.id) FROM approvals n WHERE n.subject_id = a.subject_id)`,
  (row: ScheduleApproval) => row,
);
