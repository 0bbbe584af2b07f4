// Reads the overview from the indexes of migration 0005, without reading whole service rows.

import type { StatusThresholds } from "../../domain/fleet/effective-status.ts";
import type { EffectiveStatus } from "../../domain/fleet/services.ts";
import type { CountsByStatus } from "../../domain/metrics.ts";
import type { EndedCommand } from "../../domain/overview.ts";
import type { BulkReader, Reader } from "../database.ts";
import { all } from "../sql-tag.ts";
import {
  source,
  statusExpression,
  statusOfMany,
  statusParams,
  urgencyOfMany,
} from "./fleet/service-statuses.ts";
import { byStatus } from "./metrics.ts";

/** Omits statuses without services, and removed services. */
export function countEffectiveStatuses(
  db: Reader,
  now: number,
  thresholds: StatusThresholds,
): Promise<CountsByStatus<EffectiveStatus>> {
  return byStatus(
    db,
    `SELECT ${statusOfMany()} AS "status", COUNT(*) AS "count" FROM services s
     WHERE s.removed_at IS NULL GROUP BY 1`,
    ...statusParams(now, thresholds),
  );
}

/**
 * Returns the JSON of a HealthMap with the most urgent services, ordered by agent and service code.
 * Omits removed services.
 */
export function healthMapJson(
  db: BulkReader,
  now: number,
  thresholds: StatusThresholds,
  limit: number,
): Promise<string> {
  // Only the agents of the services in the map are read.
  return db.text(
    "health-map",
    `SELECT s.id, s.code, s.name, s.urgency, s.message AS "healthMessage", a.id AS "agentId",
       a.code AS "agentCode", a.name AS "agentName", a.status AS "agentStatus",
       (SELECT COUNT(*) FROM services WHERE removed_at IS NULL) AS "total"
     FROM (SELECT s.id, s.agent_id, s.code, s.name, s.health_message AS message,
         ${urgencyOfMany} AS urgency FROM services s WHERE s.removed_at IS NULL
         ORDER BY urgency, s.agent_id, s.code LIMIT ?) s
     JOIN agents a ON a.id = s.agent_id ORDER BY a.code, s.code`,
    ...statusParams(now, thresholds),
    limit,
  );
}

/** Orders the services by code. Omits removed services, so that they cause no alerts. */
export function serviceSeriesText(
  db: BulkReader,
  now: number,
  thresholds: StatusThresholds,
  limit: number,
): Promise<string> {
  return db.text(
    "service-series",
    `SELECT s.code, a.code AS "agentCode", ${statusExpression} AS "status"
     FROM ${source} WHERE s.removed_at IS NULL ORDER BY s.code LIMIT ?`,
    ...statusParams(now, thresholds),
    limit,
  );
}

/** Orders the agents by code. */
export function agentSeriesText(db: BulkReader, limit: number): Promise<string> {
  return db.text(
    "agent-series",
    `SELECT code, status, last_heartbeat_at AS "lastHeartbeatAt" FROM agents
     ORDER BY code LIMIT ?`,
    limit,
  );
}

/** The newest executions come first. Both bounds are inclusive. */
export function listEndedExecutions(
  db: Reader,
  { from, to }: { from: number; to: number },
  limit: number,
): Promise<EndedCommand[]> {
  return all(db)`SELECT completed_at AS "completedAt", status, started_at AS "startedAt"
     FROM commands WHERE type = 'ACTION_EXECUTE' AND completed_at >= ${from}
       AND completed_at <= ${to} ORDER BY completed_at DESC LIMIT ${limit}`;
}
