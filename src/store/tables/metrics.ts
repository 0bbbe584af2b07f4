// Counts rows for the metrics. No statement scans all commands or audit events.

import type { CommandStatus } from "../../domain/commands/commands.ts";
import type { AgentStatus } from "../../domain/fleet/agents.ts";
import type { RegistrationTokenStatus } from "../../domain/fleet/registration-tokens.ts";
import type { EffectiveStatus } from "../../domain/fleet/services.ts";
import {
  type CountsByStatus,
  type DurationSummary,
  type Run,
  summarizeRuns,
} from "../../domain/metrics.ts";
import type { RolloutState } from "../../domain/rollouts/rollouts.ts";
import type { ScheduleState } from "../../domain/schedules/schedules.ts";
import type { Reader } from "../database.ts";
import { Filters } from "../filters.ts";
import { countOf } from "../rows.ts";
import { all } from "../sql-tag.ts";

/** Statuses without any rows are omitted. */
export function countAgents(db: Reader): Promise<CountsByStatus<AgentStatus>> {
  return byStatus(db, `SELECT status, COUNT(*) AS "count" FROM agents GROUP BY status`);
}

export function countServices(db: Reader): Promise<CountsByStatus<EffectiveStatus>> {
  return byStatus(
    db,
    `SELECT stored_status AS "status", COUNT(*) AS "count" FROM services GROUP BY stored_status`,
  );
}

/** An ACTIVE token that has expired counts as EXPIRED, as in `currentTokenStatus`. */
export async function countRegistrationTokens(
  db: Reader,
  now: number,
): Promise<CountsByStatus<RegistrationTokenStatus>> {
  const counts: CountsByStatus<RegistrationTokenStatus> = await byStatus(
    db,
    `SELECT status, COUNT(*) AS "count" FROM registration_tokens GROUP BY status`,
  );
  const pastExpiry = new Filters().always("status = 'ACTIVE' AND expires_at <= ?", now);
  const past = await countOf(db, "registration_tokens", pastExpiry);
  if (past === 0) return counts;
  const { ACTIVE = 0, EXPIRED = 0 } = counts;
  return { ...counts, ACTIVE: ACTIVE - past, EXPIRED: EXPIRED + past };
}

export function countRollouts(db: Reader): Promise<CountsByStatus<RolloutState>> {
  return byStatus(db, `SELECT state AS "status", COUNT(*) AS "count" FROM rollouts GROUP BY state`);
}

export function countSchedules(db: Reader): Promise<CountsByStatus<ScheduleState>> {
  return byStatus(
    db,
    `SELECT state AS "status", COUNT(*) AS "count" FROM schedules GROUP BY state`,
  );
}

export async function countCommands(db: Reader): Promise<CountsByStatus<CommandStatus>> {
  const ended = await byStatus(db, "SELECT status, count FROM command_outcomes");
  return { ...(await countOpenCommands(db)), ...ended };
}

export function countOpenCommands(db: Reader): Promise<CountsByStatus<"PENDING" | "RUNNING">> {
  return byStatus(
    db,
    `SELECT status, COUNT(*) AS "count" FROM commands
     WHERE status IN ('PENDING', 'RUNNING') GROUP BY status`,
  );
}

/** Counts agents with the stored status ONLINE that have been silent since before `before`. */
export function countSilentAgents(db: Reader, before: number): Promise<number> {
  const isSilent = "status = 'ONLINE' AND (last_heartbeat_at IS NULL OR last_heartbeat_at < ?)";
  return countOf(db, "agents", new Filters().always(isSilent, before));
}

export function countUsers(db: Reader): Promise<number> {
  return countOf(db, "users", new Filters());
}

/** The most frequent codes come first. Codes with equal counts are in alphabetical order. */
export function listTopCommandErrors(
  db: Reader,
  limit: number,
): Promise<{ code: string; count: number }[]> {
  return all(db)`SELECT code, count FROM command_errors ORDER BY count DESC, code LIMIT ${limit}`;
}

/**
 * Summarizes the commands that ended most recently. Includes commands that timed out, but not
 * cancelled ones.
 */
export async function latestDurations(db: Reader, limit: number): Promise<DurationSummary> {
  const runs = await all(db)<Run>`SELECT started_at AS "startedAt", completed_at AS "completedAt"
     FROM commands
     WHERE started_at IS NOT NULL AND completed_at IS NOT NULL AND status <> 'CANCELLED'
     ORDER BY completed_at DESC LIMIT ${limit}`;
  return summarizeRuns(runs);
}

/** Runs a statement that returns `status` and `count`. */
export async function byStatus(
  db: Reader,
  sql: string,
  ...params: number[]
): Promise<Record<string, number>> {
  const rows = await db.all<{ status: string; count: number }>(sql, ...params);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}
