// Reads the overview from the indexes of migration 0005, without reading whole service rows.

import type { AgentStatus } from "../../domain/agents.ts";
import type { StatusThresholds } from "../../domain/effective-status.ts";
import type { EndedCommand } from "../../domain/overview.ts";
import type { EffectiveStatus } from "../../domain/services.ts";
import type { Reader } from "../database.ts";
import { all } from "../sql.ts";
import { byStatus, type CountsByStatus } from "./metrics.ts";
import { source, statusExpression, statusParams } from "./services.ts";

/** Omits statuses without services. */
export function countEffectiveStatuses(
  db: Reader,
  now: number,
  thresholds: StatusThresholds,
): Promise<CountsByStatus<EffectiveStatus>> {
  return byStatus(
    db,
    `SELECT ${statusExpression} AS "status", COUNT(*) AS "count" FROM ${source} GROUP BY 1`,
    ...statusParams(now, thresholds),
  );
}

export interface HealthCell {
  id: string;
  code: string;
  name: string;
  status: EffectiveStatus;
  healthMessage: string | null;
  agentId: string;
  agentCode: string;
  agentName: string | null;
  agentStatus: AgentStatus;
}

/** Orders the services by agent code and service code. */
export function listHealthCells(
  db: Reader,
  now: number,
  thresholds: StatusThresholds,
): Promise<HealthCell[]> {
  return db.all(
    `SELECT s.id, s.code, s.name, s.health_message AS "healthMessage", a.id AS "agentId",
       a.code AS "agentCode", a.name AS "agentName", a.status AS "agentStatus",
       ${statusExpression} AS "status" FROM ${source} ORDER BY a.code, s.code`,
    ...statusParams(now, thresholds),
  );
}

/** Orders the services by code. */
export function listServiceStates(
  db: Reader,
  now: number,
  thresholds: StatusThresholds,
  limit: number,
): Promise<{ code: string; agentCode: string; status: EffectiveStatus }[]> {
  return db.all(
    `SELECT s.code, a.code AS "agentCode", ${statusExpression} AS "status"
     FROM ${source} ORDER BY s.code LIMIT ?`,
    ...statusParams(now, thresholds),
    limit,
  );
}

/** Orders the agents by code. */
export function listAgentStates(
  db: Reader,
  limit: number,
): Promise<{ code: string; status: AgentStatus; lastHeartbeatAt: number | null }[]> {
  return all(db)`SELECT code, status, last_heartbeat_at AS "lastHeartbeatAt" FROM agents
     ORDER BY code LIMIT ${limit}`;
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
