// The effective status of services in SQL, as domain/fleet/effective-status.ts defines it.

import { silentBefore } from "../../../domain/fleet/agents.ts";
import type { StatusThresholds } from "../../../domain/fleet/effective-status.ts";
import { byUrgency } from "../../../domain/fleet/health-map.ts";
import type { EffectiveStatus, Service } from "../../../domain/fleet/services.ts";
import { blockUpdater, placeholders, type TimeOf } from "../../blocks.ts";
import type { Reader, Tx } from "../../database.ts";
import { listFinder } from "../../rows.ts";
import { run } from "../../sql-tag.ts";
import { hasActiveToken } from "./agents.ts";

/** Columns that are 0 or 1. */
export interface AgentFlags {
  agentHasActiveToken: number;
  agentHasStopped: number;
}

export const source = "services s JOIN agents a ON a.id = s.agent_id";

const asText = (status: EffectiveStatus) => `'${status}'`;

/**
 * An SQL expression for the status, for few rows of `source`. `statusParams` returns its
 * parameters.
 */
export const statusExpression = `CASE
  WHEN a.status = 'DISABLED' OR NOT ${hasActiveToken} OR a.stopped_at IS NOT NULL THEN 'OFFLINE'
  WHEN a.last_heartbeat_at IS NULL OR a.last_heartbeat_at < ? THEN 'OFFLINE'
  WHEN a.last_heartbeat_at < ? THEN 'STALE'
  ${statusOfReport(asText)}`;

/**
 * Like `statusExpression`, but for many rows, and needs only the table `services s`. Each list of
 * agents is read once and is short in a healthy fleet. This takes less time than looking up the
 * agent of each service. `sqlOf` returns an SQL value for a status.
 */
export function statusOfMany(sqlOf: (status: EffectiveStatus) => string = asText): string {
  return `CASE
  WHEN s.agent_id IN (SELECT id FROM agents
    EXCEPT SELECT agent_id FROM agent_tokens WHERE revoked_at IS NULL) THEN ${sqlOf("OFFLINE")}
  WHEN s.agent_id IN (SELECT id FROM agents WHERE status = 'DISABLED' OR stopped_at IS NOT NULL
    OR last_heartbeat_at IS NULL OR last_heartbeat_at < ?) THEN ${sqlOf("OFFLINE")}
  WHEN s.agent_id IN (SELECT id FROM agents WHERE last_heartbeat_at < ?) THEN ${sqlOf("STALE")}
  ${statusOfReport(sqlOf)}`;
}

/** The index of the status in `byUrgency`, for many rows. `statusParams` returns the parameters. */
export const urgencyOfMany = statusOfMany((status) => String(byUrgency.indexOf(status)));

function statusOfReport(sqlOf: (status: EffectiveStatus) => string): string {
  return `WHEN s.last_reported_at < ? THEN ${sqlOf("STALE")}
  WHEN s.health_class = 'healthy' THEN ${sqlOf("HEALTHY")}
  WHEN s.health_class = 'unhealthy' THEN ${sqlOf("UNHEALTHY")}
  ELSE ${sqlOf("UNKNOWN")} END`;
}

export function statusParams(now: number, thresholds: StatusThresholds): number[] {
  const { suppressMs, serviceStaleMs } = thresholds;
  return [now - suppressMs, silentBefore(now, thresholds), now - serviceStaleMs];
}

/** The facts on which the effective status of a service depends. */
export type StatusFacts = Pick<
  Service,
  | "agentStatus"
  | "agentLastHeartbeatAt"
  | "agentHasActiveToken"
  | "agentHasStopped"
  | "lastReportedAt"
  | "healthStatus"
  | "movedAt"
>;

type StatusFactsRow = Omit<StatusFacts, keyof AgentFlags> & AgentFlags;

export const findStatusFacts = listFinder(
  (places) => `SELECT s.id AS "key", a.status AS "agentStatus",
     a.last_heartbeat_at AS "agentLastHeartbeatAt", ${hasActiveToken} AS "agentHasActiveToken",
     a.stopped_at IS NOT NULL AS "agentHasStopped", s.last_reported_at AS "lastReportedAt",
     s.health_status AS "healthStatus", s.moved_at AS "movedAt" FROM ${source} WHERE s.id IN (${places})`,
  (row: StatusFactsRow): StatusFacts => ({ ...row, ...flagsOf(row) }),
);

/**
 * Takes the times of unchanged reports, and returns the services whose stored status they change,
 * with the new status. These services are STALE or OFFLINE: the other statuses follow from the
 * reported health.
 */
export async function listRecoveredAmong(
  db: Reader,
  times: readonly TimeOf[],
): Promise<{ id: string; status: EffectiveStatus }[]> {
  const reportedAt = new Map(times);
  const rows = await db.all<{ id: string; status: EffectiveStatus; lastReportedAt: number }>(
    `SELECT id, ${statusOfClass} AS "status", last_reported_at AS "lastReportedAt" FROM services
     WHERE stored_status IN ('STALE', 'OFFLINE') AND id IN (${placeholders(times.length)})`,
    ...reportedAt.keys(),
  );
  return rows.filter(({ id, lastReportedAt }) => lastReportedAt < (reportedAt.get(id) ?? 0));
}

const statusOfClass = `CASE health_class WHEN 'healthy' THEN 'HEALTHY'
         WHEN 'unhealthy' THEN 'UNHEALTHY' ELSE 'UNKNOWN' END`;

/** Records an unchanged report: moves its time forward, and derives the status from the health. */
export const touchServices = blockUpdater<TimeOf>("services", {
  values: 1,
  set: `last_reported_at = v.column2, stored_status = ${statusOfClass}`,
  where: "last_reported_at < v.column2",
});

/** A service with its stored status and its status now. The two can differ after some time. */
export interface AgedService {
  id: string;
  stored: EffectiveStatus;
  status: EffectiveStatus;
  lastReportedAt: number;
  healthChangedAt: number | null;
}

/** Lists the services whose ids follow `after`, with their effective statuses at `now`. */
export function listAgedServices(
  db: Reader,
  after: string,
  now: number,
  thresholds: StatusThresholds,
  limit: number,
): Promise<AgedService[]> {
  return db.all(
    `SELECT s.id, s.stored_status AS "stored", s.last_reported_at AS "lastReportedAt",
       s.health_changed_at AS "healthChangedAt",
       ${statusExpression} AS "status" FROM ${source} WHERE s.id > ? ORDER BY s.id LIMIT ?`,
    ...statusParams(now, thresholds),
    after,
    limit,
  );
}

/**
 * Stores the effective status. Moves a report and a change of health that are in the future to the
 * present.
 */
export async function storeAged(tx: Tx, { id, status }: AgedService): Promise<void> {
  await run(tx)`UPDATE services SET stored_status = ${status}, last_reported_at =
       CASE WHEN last_reported_at > ${tx.now} THEN ${tx.now} ELSE last_reported_at END,
       health_changed_at =
       CASE WHEN health_changed_at > ${tx.now} THEN ${tx.now} ELSE health_changed_at END
     WHERE id = ${id}`;
}

export function flagsOf(row: AgentFlags) {
  return {
    agentHasActiveToken: row.agentHasActiveToken === 1,
    agentHasStopped: row.agentHasStopped === 1,
  };
}
