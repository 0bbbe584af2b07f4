// Stores rollouts. (src/domain/rollouts/rollouts.ts)

import {
  openRolloutStates,
  type Rollout,
  type RolloutReason,
  type RolloutState,
  type StoredPayload,
  type StoredPlan,
} from "../../../domain/rollouts/rollouts.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import {
  countOf,
  deleter,
  finder,
  idsBefore,
  idsOf,
  inserter,
  listFinder,
  pageOf,
} from "../../rows.ts";
import { run } from "../../sql-tag.ts";

interface RolloutRow extends Omit<Rollout, "choice" | "plan" | keyof StoredPayload> {
  choice: string;
  plan: string;
  payload: string;
  withheld: string;
  secrets: string | null;
}

const columns = `id, name, action, state, state_reason AS "stateReason", reason, choice, plan, payload,
  withheld, secrets, wave, wave_ended_at AS "waveEndedAt", created_by AS "createdBy",
  creator_id AS "creatorId", approval_id AS "approvalId",
  retry_of AS "retryOf", schedule_id AS "scheduleId", created_at AS "createdAt", completed_at AS "completedAt",
  settled_at AS "settledAt"`;

export const findRollout = finder(`SELECT ${columns} FROM rollouts WHERE id = ?`, toRollout);

/** Finds the plans of rollouts. Rollouts that do not exist are left out. */
export const findRolloutPlans = listFinder(
  (places) => `SELECT id AS "key", plan FROM rollouts WHERE id IN (${places})`,
  ({ plan }: { plan: string }): StoredPlan => JSON.parse(plan),
);

interface RolloutFilter extends Page {
  /** Matches any of these states. */
  state?: readonly RolloutState[] | undefined;
  action?: string | undefined;
}

export function listRollouts(db: Reader, filter: RolloutFilter): Promise<Listed<Rollout>> {
  const filters = new Filters().oneOf("state", filter.state).add("action = ?", filter.action);
  return pageOf(db, [columns, "rollouts", "id"], filters, filter, toRollout, sorts);
}

/** Counts the rollouts that have not ended. */
export function countOpenRollouts(db: Reader): Promise<number> {
  return countOf(db, "rollouts", new Filters().oneOf("state", openRolloutStates));
}

const sorts: Sorts = {
  name: ["name"],
  action: "action",
  createdAt: "id",
  completedAt: ["completed_at"],
};

const insert = inserter("rollouts", [
  "id name action state state_reason reason choice plan payload withheld secrets wave wave_ended_at",
  "created_by creator_id approval_id retry_of schedule_id created_at completed_at settled_at",
]);

export async function insertRollout(tx: Tx, rollout: Rollout): Promise<void> {
  await insert(tx, {
    ...rollout,
    ...payloadColumns(rollout),
    choice: JSON.stringify(rollout.choice),
    plan: JSON.stringify(rollout.plan),
  });
}

export function payloadColumns({ payload, withheld, secrets }: StoredPayload) {
  return {
    payload: JSON.stringify(payload),
    withheld: JSON.stringify(withheld),
    secrets: withheld.length === 0 ? null : toJsonColumn(secrets),
  };
}

/** `state` must be AWAITING_APPROVAL, RUNNING or PAUSED. */
export async function setRolloutState(
  tx: Tx,
  id: string,
  state: RolloutState,
  stateReason: RolloutReason | null,
): Promise<void> {
  await run(
    tx,
  )`UPDATE rollouts SET state = ${state}, state_reason = ${stateReason} WHERE id = ${id}`;
}

/** Changes AWAITING_APPROVAL to RUNNING. The deadline in `plan` counts from now. */
export async function releaseRollout(
  tx: Tx,
  id: string,
  plan: StoredPlan,
  approvalId: string,
): Promise<void> {
  await run(tx)`UPDATE rollouts SET state = 'RUNNING', state_reason = NULL,
       plan = ${JSON.stringify(plan)}, approval_id = ${approvalId}
     WHERE id = ${id} AND state = ${"AWAITING_APPROVAL"}`;
}

export async function setRolloutApproval(tx: Tx, id: string, approvalId: string): Promise<void> {
  await run(tx)`UPDATE rollouts SET approval_id = ${approvalId} WHERE id = ${id}`;
}

/** Also deletes the secrets, because the rollout creates no more commands. */
export async function endRollout(
  tx: Tx,
  id: string,
  state: RolloutState,
  stateReason: RolloutReason | null,
): Promise<void> {
  await run(tx)`UPDATE rollouts SET state = ${state}, state_reason = ${stateReason},
     completed_at = ${tx.now}, secrets = NULL WHERE id = ${id}`;
  await run(tx)`UPDATE rollout_targets SET state = 'NOT_RUN', secrets = NULL
     WHERE rollout_id = ${id} AND state = ${"WAITING"}`;
}

export async function settleRollout(tx: Tx, id: string): Promise<void> {
  await run(tx)`UPDATE rollouts SET settled_at = ${tx.now} WHERE id = ${id}`;
}

export async function setWave(
  tx: Tx,
  id: string,
  wave: number,
  endedAt: number | null,
): Promise<void> {
  await run(tx)`UPDATE rollouts SET wave = ${wave}, wave_ended_at = ${endedAt} WHERE id = ${id}`;
}

/**
 * Adds `byMs` to the ends of the waves after which rollouts wait, except ends between `since` and
 * `until` (Unix milliseconds).
 */
export async function moveWaveEnds(
  tx: Tx,
  { byMs, since, until }: { byMs: number; since: number; until: number },
): Promise<void> {
  await run(tx)`UPDATE rollouts SET wave_ended_at = wave_ended_at + ${Math.round(byMs)}
     WHERE settled_at IS NULL
       AND NOT wave_ended_at BETWEEN ${Math.floor(since)} AND ${Math.ceil(until)}`;
}

/**
 * Lists the rollouts that are not settled, oldest first. One that waits for approval can have open
 * targets, because it may have run before.
 */
export function listUnsettledRolloutIds(db: Reader, limit: number): Promise<string[]> {
  return idsOf(db, "SELECT id FROM rollouts WHERE settled_at IS NULL ORDER BY id LIMIT ?", limit);
}

export const listSettledRolloutIds = idsBefore(
  "SELECT id FROM rollouts WHERE settled_at < ? ORDER BY settled_at LIMIT ?",
);

const deleteRollout = deleter("rollouts");

/**
 * Deletes up to `limit` targets of a rollout, and the rollout itself if fewer remained, but not its
 * commands. Returns whether the rollout was deleted.
 */
export async function deleteRolloutParts(tx: Tx, id: string, limit: number): Promise<boolean> {
  const deleted = await run(tx)`DELETE FROM rollout_targets WHERE rollout_id = ${id} AND ordinal IN
     (SELECT ordinal FROM rollout_targets WHERE rollout_id = ${id} ORDER BY ordinal LIMIT ${limit})`;
  return deleted < limit && deleteRollout(tx, id);
}

function toRollout(row: RolloutRow): Rollout {
  return {
    ...row,
    choice: JSON.parse(row.choice),
    plan: JSON.parse(row.plan),
    ...payloadFrom(row.payload, row.withheld, row.secrets),
  };
}

export function payloadFrom(
  payload: string,
  withheld: string,
  secrets: string | null,
): StoredPayload {
  return {
    payload: JSON.parse(payload),
    withheld: JSON.parse(withheld),
    secrets: fromJsonColumn(secrets) as StoredPayload["secrets"],
  };
}
