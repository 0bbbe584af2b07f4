// Stores the targets of rollouts: the services on which a rollout runs.
// (src/domain/rollouts/rollouts.ts)

import type { StatusThresholds } from "../../../domain/fleet/effective-status.ts";
import type { ActionEntry, EffectiveStatus } from "../../../domain/fleet/services.ts";
import { maxRolloutTargets } from "../../../domain/limits.ts";
import type { RolloutProgress } from "../../../domain/rollouts/next-step.ts";
import type { Rollout, RolloutTarget, TargetState } from "../../../domain/rollouts/rollouts.ts";
import { placeholders } from "../../blocks.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page } from "../../filters.ts";
import { countOf, idsOf, rowsInserter } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";
import { type ActionRow, actionColumns, toAction } from "../fleet/service-actions.ts";
import { statusExpression, statusParams } from "../fleet/service-statuses.ts";
import {
  type CommandTarget,
  type CommandTargetRow,
  commandTargetColumns,
  toCommandTarget,
} from "../fleet/services.ts";
import { payloadColumns, payloadFrom } from "./rollouts.ts";

interface TargetRow extends Omit<RolloutTarget, "own"> {
  payload: string | null;
  withheld: string | null;
  secrets: string | null;
}

const targetColumns = `ordinal AS "position", wave, service_id AS "serviceId", service_code AS "serviceCode",
  agent_id AS "agentId", agent_code AS "agentCode", declaration, state, payload, withheld, secrets,
  prepare_command_id AS "prepareCommandId", expected_state AS "expectedState",
  command_id AS "commandId", ended_at AS "endedAt", error_code AS "errorCode",
  error_message AS "errorMessage"`;

const insertRows = rowsInserter("rollout_targets", [
  "rollout_id ordinal wave service_id service_code agent_id agent_code declaration state payload",
  "withheld secrets prepare_command_id expected_state",
]);

const noPayload = { payload: null, withheld: null, secrets: null };

/** Inserts targets without commands. */
export async function insertTargets(
  tx: Tx,
  rolloutId: string,
  targets: readonly RolloutTarget[],
): Promise<void> {
  const rows = targets.map(({ position, own, ...target }) => ({
    ...target,
    rolloutId,
    ordinal: position,
    ...(own ? payloadColumns(own) : noPayload),
  }));
  await insertRows(tx, rows);
}

export interface TargetFilter extends Page {
  /** Matches any of these states. */
  state?: readonly TargetState[] | undefined;
  /** The code of a service. */
  service?: string | undefined;
  /** Counted from 0. */
  wave?: number | undefined;
  /** Only targets after the one with the position `at`. */
  before?: { at: number } | undefined;
}

/**
 * Lists the targets in the order in which they run. `left` counts those from the beginning of the
 * page to the end of the list.
 */
export async function listTargets(
  db: Reader,
  rolloutId: string,
  { page, pageSize, state, service, wave, before }: TargetFilter,
): Promise<Listed<RolloutTarget> & { left: number }> {
  const filters = new Filters()
    .always("rollout_id = ?", rolloutId)
    .oneOf("state", state)
    .add("service_code = ?", service)
    .add("wave = ?", wave)
    // A cursor can be larger than the column's type allows.
    .add("ordinal > ?", before && Math.min(before.at, maxRolloutTargets));
  const begin = (page - 1) * pageSize;
  const rows = await db.all<TargetRow>(
    `SELECT ${targetColumns} FROM rollout_targets ${filters.where}
     ORDER BY ordinal LIMIT ? OFFSET ?`,
    ...filters.params,
    pageSize,
    begin,
  );
  const total = await countOf(db, "rollout_targets", filters);
  return { items: rows.map(toTarget), total, left: total - begin };
}

/** Lists the next WAITING targets of a wave. */
export async function listWaitingTargets(
  db: Reader,
  rolloutId: string,
  wave: number,
  limit: number,
): Promise<RolloutTarget[]> {
  const rows = await db.all<TargetRow>(
    `SELECT ${targetColumns} FROM rollout_targets
     WHERE rollout_id = ? AND state = 'WAITING' AND wave = ? ORDER BY ordinal LIMIT ?`,
    rolloutId,
    wave,
    limit,
  );
  return rows.map(toTarget);
}

export interface TargetCount {
  rolloutId: string;
  wave: number;
  state: TargetState;
  count: number;
}

/** Counts the targets of rollouts by wave and state. */
export function countTargets(db: Reader, rolloutIds: readonly string[]): Promise<TargetCount[]> {
  if (rolloutIds.length === 0) return Promise.resolve([]);
  return db.all(
    `SELECT rollout_id AS "rolloutId", wave, state, COUNT(*) AS "count" FROM rollout_targets
     WHERE rollout_id IN (${placeholders(rolloutIds.length)}) GROUP BY rollout_id, wave, state`,
    ...rolloutIds,
  );
}

type CountedTargets = Pick<RolloutProgress, "waiting" | "open" | "failed" | "notRun">;

/**
 * Counts the targets that the next step depends on. `waiting` is at most `most`, so that no step
 * counts all targets of a large rollout.
 */
export async function countForStep(
  tx: Tx,
  { id, wave }: Pick<Rollout, "id" | "wave">,
  most: number,
): Promise<CountedTargets> {
  const of = "SELECT 1 FROM rollout_targets WHERE rollout_id = ? AND state";
  const [counted] = await tx.all<CountedTargets>(
    `SELECT (SELECT COUNT(*) FROM (${of} = 'WAITING' AND wave = ? LIMIT ?) w) AS "waiting",
       (SELECT COUNT(*) FROM (${of} IN ('RUNNING', 'CHECKING')) o) AS "open",
       (SELECT COUNT(*) FROM (${of} = 'FAILED') f) AS "failed",
       (SELECT COUNT(*) FROM (${of} = 'NOT_RUN') n) AS "notRun"`,
    ...[id, wave, most, id, id, id],
  );
  return counted ?? { waiting: 0, open: 0, failed: 0, notRun: 0 };
}

/** A RUNNING target whose command has ended. */
interface EndedTarget {
  position: number;
  status: "SUCCEEDED" | "FAILED" | "CANCELLED";
  errorCode: string | null;
  errorMessage: string | null;
  endedAt: number;
}

/**
 * Sorts like the index `rollout_targets_by_state`. Sorting by position alone would have to read all
 * targets.
 */
export function listEndedTargets(
  db: Reader,
  rolloutId: string,
  limit: number,
): Promise<EndedTarget[]> {
  return all(db)`SELECT t.ordinal AS "position", c.status, c.error_code AS "errorCode",
       c.error_message AS "errorMessage", c.completed_at AS "endedAt"
     FROM rollout_targets t JOIN commands c ON c.id = t.command_id
     WHERE t.rollout_id = ${rolloutId} AND t.state = 'RUNNING' AND c.completed_at IS NOT NULL
     ORDER BY t.wave, t.ordinal LIMIT ${limit}`;
}

/** A RUNNING target whose agent has not fetched the command. */
interface UnfetchedTarget {
  position: number;
  commandId: string;
  service: CommandTarget;
}

/**
 * Lists the targets whose command was created before `before`. Omits services that have moved, and
 * agents that have stopped since `before`.
 */
export async function listUnfetchedTargets(
  db: Reader,
  rolloutId: string,
  before: number,
): Promise<UnfetchedTarget[]> {
  const rows = await db.all<CommandTargetRow & Pick<UnfetchedTarget, "position" | "commandId">>(
    `SELECT t.ordinal AS "position", c.id AS "commandId", ${commandTargetColumns}
     FROM rollout_targets t JOIN commands c ON c.id = t.command_id
       JOIN services s ON s.id = t.service_id AND s.agent_id = c.agent_id
       JOIN agents a ON a.id = s.agent_id
     WHERE t.rollout_id = ? AND t.state = 'RUNNING' AND c.started_at IS NULL
       AND c.completed_at IS NULL AND c.created_at < ?
       AND (a.stopped_at IS NULL OR a.stopped_at < ?)
     ORDER BY t.wave, t.ordinal`,
    rolloutId,
    before,
    before,
  );
  return rows.map(({ position, commandId, ...row }) => {
    return { position, commandId, service: toCommandTarget(row) };
  });
}

/** A CHECKING target. Its service may have been deleted. */
interface CheckedTarget {
  position: number;
  serviceId: string;
  endedAt: number;
  status: EffectiveStatus | null;
  /**
   * The last report, or the last change of health if that is later, because heartbeats can report
   * health.
   */
  lastReportedAt: number | null;
}

export function listCheckedTargets(
  db: Reader,
  rolloutId: string,
  now: number,
  thresholds: StatusThresholds,
): Promise<CheckedTarget[]> {
  return db.all(
    `SELECT t.ordinal AS "position", t.service_id AS "serviceId", t.ended_at AS "endedAt",
       CASE WHEN s.health_changed_at > s.last_reported_at THEN s.health_changed_at
         ELSE s.last_reported_at END AS "lastReportedAt",
       CASE WHEN s.id IS NULL THEN NULL ELSE ${statusExpression} END AS "status"
     FROM rollout_targets t LEFT JOIN services s ON s.id = t.service_id
       LEFT JOIN agents a ON a.id = s.agent_id
     WHERE t.rollout_id = ? AND t.state = 'CHECKING' ORDER BY t.wave, t.ordinal`,
    ...statusParams(now, thresholds),
    rolloutId,
  );
}

/**
 * Adds `byMs` to the ends of the commands whose services are checked, and to the last reports of
 * the services on which a rollout runs or will run, except times between `since` and `until` (Unix
 * milliseconds). Moved together, a report from before the end of a command stays before it.
 *
 * If the clock shows the time of an old report again before this correction, that report counts as
 * one from after the jump. The next sweep corrects the times of services that no rollout includes,
 * so until then, they can open the gate of a rollout that is created after a jump back.
 *
 * The change is not announced, and the periods of a service's history are not moved.
 */
export async function moveHealthChecks(
  tx: Tx,
  { byMs, since, until }: { byMs: number; since: number; until: number },
): Promise<void> {
  const [by, from, to] = [Math.round(byMs), Math.floor(since), Math.ceil(until)];
  await run(tx)`UPDATE rollout_targets SET ended_at = ended_at + ${by}
     WHERE rollout_id IN (SELECT id FROM rollouts WHERE settled_at IS NULL) AND state = 'CHECKING'
       AND NOT ended_at BETWEEN ${from} AND ${to}`;
  await run(tx)`UPDATE services SET
       last_reported_at = CASE WHEN last_reported_at BETWEEN ${from} AND ${to}
         THEN last_reported_at ELSE last_reported_at + ${by} END,
       health_changed_at = CASE WHEN health_changed_at BETWEEN ${from} AND ${to}
         THEN health_changed_at ELSE health_changed_at + ${by} END
     WHERE id IN (SELECT t.service_id FROM rollouts r JOIN rollout_targets t ON t.rollout_id = r.id
       WHERE r.settled_at IS NULL AND t.state IN ('WAITING', 'RUNNING', 'CHECKING'))`;
}

export async function startTarget(
  tx: Tx,
  rolloutId: string,
  position: number,
  command: { id: string; agentId: string; agentCode: string },
): Promise<void> {
  await run(tx)`UPDATE rollout_targets SET state = 'RUNNING', command_id = ${command.id},
       agent_id = ${command.agentId}, agent_code = ${command.agentCode}, secrets = NULL
     WHERE rollout_id = ${rolloutId} AND ordinal = ${position}`;
}

export async function setTargetState(
  tx: Tx,
  rolloutId: string,
  position: number,
  state: TargetState,
  { endedAt = null, errorCode = null, errorMessage = null }: Partial<RolloutTarget> = {},
): Promise<void> {
  await run(tx)`UPDATE rollout_targets SET state = ${state},
       ended_at = COALESCE(${endedAt}, ended_at), error_code = ${errorCode},
       error_message = ${errorMessage}, secrets = NULL
     WHERE rollout_id = ${rolloutId} AND ordinal = ${position}`;
}

/**
 * Lists the commands of a rollout that have not ended. Their number is limited, because only so
 * many can run at the same time.
 */
export function listOpenTargetCommands(db: Reader, rolloutId: string): Promise<string[]> {
  return idsOf(
    db,
    `SELECT c.id FROM rollout_targets t JOIN commands c ON c.id = t.command_id
     WHERE t.rollout_id = ? AND t.state = 'RUNNING' AND c.completed_at IS NULL ORDER BY t.ordinal`,
    rolloutId,
  );
}

/**
 * Lists the targets that failed, and with `alsoNotRun` also those that were not run. Omits deleted
 * services.
 */
export async function listTargetsToRetry(
  db: Reader,
  rolloutId: string,
  alsoNotRun: boolean,
): Promise<RolloutTarget[]> {
  const states = alsoNotRun ? "'FAILED', 'NOT_RUN'" : "'FAILED'";
  const rows = await db.all<TargetRow>(
    `SELECT ${targetColumns} FROM rollout_targets WHERE rollout_id = ? AND state IN (${states})
       AND EXISTS (SELECT 1 FROM services WHERE code = service_code)
     ORDER BY ordinal`,
    rolloutId,
  );
  return rows.map(toTarget);
}

/** A target of a rollout, and its service as it is now. */
export interface PresentTarget {
  target: RolloutTarget;
  /** Null if the service was deleted. */
  service: { code: string; agentId: string; agentCode: string } | null;
  /** Null if the service does not declare the action. */
  action: ActionEntry | null;
}

/** Lists the WAITING targets, in the order in which they run. */
export async function listPresentTargets(
  db: Reader,
  rolloutId: string,
  action: string,
): Promise<PresentTarget[]> {
  const rows = await db.all<PresentRow>(
    `SELECT t.*, s.code AS "nowCode", s.agent_id AS "nowAgentId", a.code AS "nowAgentCode",
       ${actionColumns("x.")}
     FROM (SELECT ${targetColumns} FROM rollout_targets
       WHERE rollout_id = ? AND state = 'WAITING') t
       LEFT JOIN services s ON s.id = t."serviceId" LEFT JOIN agents a ON a.id = s.agent_id
       LEFT JOIN service_actions x ON x.service_id = s.id AND x.name = ?
     ORDER BY t."position"`,
    rolloutId,
    action,
  );
  return rows.map((row) => {
    const { nowCode: code, nowAgentId: agentId, nowAgentCode: agentCode } = row;
    return {
      target: toTarget(row),
      service: code && agentId && agentCode ? { code, agentId, agentCode } : null,
      action: row.name === null ? null : toAction(row as ActionRow),
    };
  });
}

type PresentRow = TargetRow & { [Column in keyof ActionRow]: ActionRow[Column] | null } & {
  nowCode: string | null;
  nowAgentId: string | null;
  nowAgentCode: string | null;
};

function toTarget({ payload, withheld, secrets, ...row }: TargetRow): RolloutTarget {
  return { ...row, own: payload === null ? null : payloadFrom(payload, withheld ?? "[]", secrets) };
}
