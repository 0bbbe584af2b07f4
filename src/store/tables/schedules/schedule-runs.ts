// Stores the runs of schedules. Each change of state checks the previous state, so that a run that
// two nodes see is started and ended only once.

import type { RunStarter, RunState, ScheduleRun } from "../../../domain/schedules/schedules.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page } from "../../filters.ts";
import { countOf, inserter, listFinder } from "../../rows.ts";
import { all, get, run } from "../../sql-tag.ts";

const columns = `schedule_id AS "scheduleId", due_at AS "dueAt", trigger, state,
  error_code AS "errorCode", error_message AS "errorMessage", missed_runs AS "missedRuns",
  requested_by AS "requestedBy", starter, command_id AS "commandId", rollout_id AS "rolloutId",
  started_at AS "startedAt", ended_at AS "endedAt"`;

type RunRow = Omit<ScheduleRun, "starter"> & { starter: string | null };

function toRun(row: RunRow): ScheduleRun {
  return { ...row, starter: fromJsonColumn<RunStarter | null>(row.starter) };
}

export type RunKey = Pick<ScheduleRun, "scheduleId" | "dueAt">;

export async function findScheduleRun(
  db: Reader,
  { scheduleId, dueAt }: RunKey,
): Promise<ScheduleRun | null> {
  const row = await db.get<RunRow>(
    `SELECT ${columns} FROM schedule_runs WHERE schedule_id = ? AND due_at = ?`,
    scheduleId,
    dueAt,
  );
  return row ? toRun(row) : null;
}

export interface RunFilter extends Page {
  /** Matches any of these states. */
  state?: readonly RunState[] | undefined;
}

/** The latest runs come first. */
export async function listScheduleRuns(
  db: Reader,
  scheduleId: string,
  { page, pageSize, state }: RunFilter,
): Promise<Listed<ScheduleRun>> {
  const filters = new Filters().always("schedule_id = ?", scheduleId).oneOf("state", state);
  const rows = await db.all<RunRow>(
    `SELECT ${columns} FROM schedule_runs ${filters.where} ORDER BY due_at DESC LIMIT ? OFFSET ?`,
    ...filters.params,
    pageSize,
    (page - 1) * pageSize,
  );
  return { items: rows.map(toRun), total: await countOf(db, "schedule_runs", filters) };
}

/** Finds the latest run of each schedule that has a run. */
export const findLastRuns = listFinder(
  (places) => `SELECT schedule_id AS "key", ${columns} FROM schedule_runs r
     WHERE schedule_id IN (${places})
       AND due_at = (SELECT MAX(l.due_at) FROM schedule_runs l WHERE l.schedule_id = r.schedule_id)`,
  toRun,
);

const insert = inserter(
  "schedule_runs",
  [
    "schedule_id due_at trigger state error_code error_message missed_runs requested_by starter",
    "command_id rollout_id started_at ended_at",
  ],
  "ON CONFLICT (schedule_id, due_at) DO NOTHING",
);

/** Returns false if the schedule already has a run with this due time. */
export async function insertScheduleRun(tx: Tx, added: ScheduleRun): Promise<boolean> {
  return (await insert(tx, { ...added, starter: toJsonColumn(added.starter) })) === 1;
}

/**
 * Returns the due time of the latest run up to `upTo` that no operator started; null if there is
 * none.
 */
export async function lastTimedDue(
  db: Reader,
  scheduleId: string,
  upTo: number,
): Promise<number | null> {
  const row = await get(db)<{ dueAt: number }>`SELECT due_at AS "dueAt" FROM schedule_runs
     WHERE schedule_id = ${scheduleId} AND due_at <= ${upTo} AND trigger = 'time'
     ORDER BY due_at DESC LIMIT 1`;
  return row?.dueAt ?? null;
}

/** Deletes the SKIPPED runs that were due after `after`. */
export async function deleteSkippedAfter(tx: Tx, scheduleId: string, after: number): Promise<void> {
  await run(tx)`DELETE FROM schedule_runs
     WHERE schedule_id = ${scheduleId} AND due_at > ${after} AND state = 'SKIPPED'`;
}

/** Lists the runs of a schedule that have not ended, in the order of their due times. */
export function listOpenRuns(
  db: Reader,
  scheduleId: string,
): Promise<{ dueAt: number; state: RunState }[]> {
  return all(db)`SELECT due_at AS "dueAt", state FROM schedule_runs
     WHERE schedule_id = ${scheduleId} AND ended_at IS NULL ORDER BY due_at`;
}

/** A RUNNING run whose command or rollout has ended, or was deleted. */
export interface EndedRun extends RunKey {
  commandId: string | null;
  rolloutId: string | null;
  /** Null if the command or rollout was deleted. */
  status: "SUCCEEDED" | "FAILED" | "CANCELLED" | null;
  errorCode: string | null;
  errorMessage: string | null;
  endedAt: number | null;
}

export function listEndedRuns(db: Reader, limit: number): Promise<EndedRun[]> {
  return all(db)`SELECT r.schedule_id AS "scheduleId", r.due_at AS "dueAt",
       r.command_id AS "commandId", r.rollout_id AS "rolloutId",
       COALESCE(c.status, o.state) AS "status",
       COALESCE(c.error_code, o.state_reason) AS "errorCode", c.error_message AS "errorMessage",
       COALESCE(c.completed_at, o.completed_at) AS "endedAt"
     FROM schedule_runs r LEFT JOIN commands c ON c.id = r.command_id
       LEFT JOIN rollouts o ON o.id = r.rollout_id
     WHERE r.ended_at IS NULL AND r.state = 'RUNNING'
       AND ((c.id IS NULL AND o.id IS NULL)
         OR c.completed_at IS NOT NULL OR o.completed_at IS NOT NULL)
     ORDER BY r.schedule_id, r.due_at LIMIT ${limit}`;
}

/**
 * Lists runs in a state before RUNNING. Omits WAITING runs of schedules with another run in
 * progress.
 */
export function listRunsToStart(
  db: Reader,
  state: "WAITING" | "STARTING",
  limit: number,
): Promise<RunKey[]> {
  return all(db)`SELECT r.schedule_id AS "scheduleId", r.due_at AS "dueAt" FROM schedule_runs r
     WHERE r.ended_at IS NULL AND r.state = ${state}
       AND (r.state = 'STARTING' OR NOT EXISTS (SELECT 1 FROM schedule_runs o
         WHERE o.schedule_id = r.schedule_id AND o.ended_at IS NULL AND o.state <> 'WAITING'))
     ORDER BY r.schedule_id, r.due_at LIMIT ${limit}`;
}

interface StartedRun {
  commandId?: string;
  rolloutId?: string;
}

/** Returns false if the run was not in the state `from`. */
export async function startScheduleRun(
  tx: Tx,
  { scheduleId, dueAt }: RunKey,
  from: "WAITING" | "STARTING",
  { commandId, rolloutId }: StartedRun,
): Promise<boolean> {
  const changed = await run(tx)`UPDATE schedule_runs SET state = 'RUNNING',
       command_id = ${commandId ?? null}, rollout_id = ${rolloutId ?? null}, started_at = ${tx.now}
     WHERE schedule_id = ${scheduleId} AND due_at = ${dueAt} AND state = ${from}`;
  return changed === 1;
}

/** Changes WAITING to STARTING. Returns false if the run was not WAITING. */
export async function setRunStarting(tx: Tx, { scheduleId, dueAt }: RunKey): Promise<boolean> {
  const changed = await run(tx)`UPDATE schedule_runs SET state = 'STARTING'
     WHERE schedule_id = ${scheduleId} AND due_at = ${dueAt} AND state = 'WAITING'`;
  return changed === 1;
}

interface RunEnd {
  state: "SUCCEEDED" | "FAILED" | "SKIPPED";
  errorCode: string | null;
  errorMessage: string | null;
  endedAt: number;
}

/** Returns false if the run was not in the state `from`. */
export async function endScheduleRun(
  tx: Tx,
  { scheduleId, dueAt }: RunKey,
  from: RunState,
  { state, errorCode, errorMessage, endedAt }: RunEnd,
): Promise<boolean> {
  const changed = await run(tx)`UPDATE schedule_runs SET state = ${state},
       error_code = ${errorCode}, error_message = ${errorMessage}, ended_at = ${endedAt}
     WHERE schedule_id = ${scheduleId} AND due_at = ${dueAt} AND state = ${from}`;
  return changed === 1;
}

/** Deletes up to `limit` runs that ended before `before`, and returns how many. */
export function deleteEndedRuns(tx: Tx, before: number, limit: number): Promise<number> {
  return run(tx)`DELETE FROM schedule_runs WHERE (schedule_id, due_at) IN
     (SELECT schedule_id, due_at FROM schedule_runs WHERE ended_at < ${before}
      ORDER BY ended_at LIMIT ${limit})`;
}
