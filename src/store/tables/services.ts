import { type AgentFeature, silentBefore } from "../../domain/agents.ts";
import type { StatusThresholds } from "../../domain/effective-status.ts";
import type { Selector } from "../../domain/selectors.ts";
import type { EffectiveStatus, Service } from "../../domain/services.ts";
import { marks, type TimeOf, timesUpdater } from "../blocks.ts";
import { fromJsonColumn, toJsonColumn } from "../columns.ts";
import type { Reader, Tx } from "../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../filters.ts";
import { serviceConditions } from "../label-conditions.ts";
import {
  deleter,
  finder,
  idsBefore,
  idsOf,
  inserter,
  listFinder,
  pageOf,
  updater,
} from "../rows.ts";
import { all, run } from "../sql.ts";
import { hasActiveToken } from "./agents.ts";

interface ServiceRow
  extends Omit<
    Service,
    | "runtime"
    | "labels"
    | "agentLabels"
    | "healthDetails"
    | "manifest"
    | "configs"
    | "agentHasActiveToken"
    | "agentHasStopped"
  > {
  runtime: string | null;
  labels: string;
  agentLabels: string;
  healthDetails: string | null;
  manifest: string | null;
  configs: string;
  agentHasActiveToken: number;
  agentHasStopped: number;
}

const columns = `s.id, s.code, s.agent_id AS "agentId", a.code AS "agentCode",
  a.status AS "agentStatus", a.last_heartbeat_at AS "agentLastHeartbeatAt",
  a.labels AS "agentLabels", ${hasActiveToken} AS "agentHasActiveToken", a.stopped_at IS NOT NULL AS "agentHasStopped",
  s.name, s.version, s.description, s.runtime, s.labels,
  s.health_status AS "healthStatus", s.health_message AS "healthMessage",
  s.health_details AS "healthDetails", s.health_changed_at AS "healthChangedAt",
  s.stored_status AS "storedStatus", s.manifest, s.configs, s.created_at AS "createdAt",
  s.updated_at AS "updatedAt", s.last_reported_at AS "lastReportedAt"`;

export const source = "services s JOIN agents a ON a.id = s.agent_id";

const asText = (status: EffectiveStatus) => `'${status}'`;

/**
 * Implements domain/effective-status.ts for a few rows of `source`. The parameters are the oldest
 * times that still count.
 */
export const statusExpression = `CASE
  WHEN a.status = 'DISABLED' OR NOT ${hasActiveToken} OR a.stopped_at IS NOT NULL THEN 'OFFLINE'
  WHEN a.last_heartbeat_at IS NULL OR a.last_heartbeat_at < ? THEN 'OFFLINE'
  WHEN a.last_heartbeat_at < ? THEN 'STALE'
  ${statusOfReport(asText)}`;

/**
 * The same for many rows, which need only the table `services s`. Each list of agents is read once
 * and is short in a healthy fleet, which takes less time than to look up the agent of each service.
 * `sqlOf` returns an SQL value for a status.
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

export interface ServiceFilter extends Page {
  /** Matches any of these statuses. */
  status?: readonly EffectiveStatus[] | undefined;
  healthStatus?: string | undefined;
  agentId?: string | undefined;
  action?: string | undefined;
  selector?: Selector | undefined;
  q?: string | undefined;
}

export const findService = finder(`SELECT ${columns} FROM ${source} WHERE s.id = ?`, toService);

/** What a new command needs to know about its service and the agent that will fetch it. */
export type CommandTarget = Pick<
  Service,
  | "id"
  | "code"
  | "agentId"
  | "agentCode"
  | "agentStatus"
  | "agentLastHeartbeatAt"
  | "agentHasActiveToken"
  | "agentHasStopped"
> & { agentFeatures: AgentFeature[] };

export type CommandTargetRow = Omit<
  CommandTarget,
  "agentHasActiveToken" | "agentHasStopped" | "agentFeatures"
> &
  Pick<ServiceRow, "agentHasActiveToken" | "agentHasStopped"> & { agentFeatures: string };

export const commandTargetColumns = `s.id, s.code, s.agent_id AS "agentId", a.code AS "agentCode",
  a.status AS "agentStatus", a.last_heartbeat_at AS "agentLastHeartbeatAt",
  ${hasActiveToken} AS "agentHasActiveToken", a.stopped_at IS NOT NULL AS "agentHasStopped",
  a.features AS "agentFeatures"`;

/** Reads fewer columns than `findService`, because each new command needs this twice. */
export const findCommandTarget = finder(
  `SELECT ${commandTargetColumns} FROM ${source} WHERE s.id = ?`,
  toCommandTarget,
);

export function toCommandTarget(row: CommandTargetRow): CommandTarget {
  return { ...row, ...flagsOf(row), agentFeatures: JSON.parse(row.agentFeatures) };
}

/** What the effective status of a service depends on. */
export type StatusFacts = Pick<
  Service,
  | "agentStatus"
  | "agentLastHeartbeatAt"
  | "agentHasActiveToken"
  | "agentHasStopped"
  | "lastReportedAt"
  | "healthStatus"
>;

type StatusFactsRow = { key: string } & Omit<
  StatusFacts,
  "agentHasActiveToken" | "agentHasStopped"
> &
  Pick<ServiceRow, "agentHasActiveToken" | "agentHasStopped">;

export const findStatusFacts = listFinder(
  (places) => `SELECT s.id AS "key", a.status AS "agentStatus",
     a.last_heartbeat_at AS "agentLastHeartbeatAt", ${hasActiveToken} AS "agentHasActiveToken",
     a.stopped_at IS NOT NULL AS "agentHasStopped", s.last_reported_at AS "lastReportedAt",
     s.health_status AS "healthStatus" FROM ${source} WHERE s.id IN (${places})`,
  (row: StatusFactsRow): StatusFacts => ({ ...row, ...flagsOf(row) }),
);

/** The labels by which selectors find services: those of their agents, and their own, which win. */
export const findServiceLabels = listFinder(
  (places) => `SELECT s.id AS "key", s.labels, a.labels AS "agentLabels" FROM ${source}
     WHERE s.id IN (${places})`,
  ({ labels, agentLabels }: { key: string; labels: string; agentLabels: string }) =>
    ({ ...JSON.parse(agentLabels), ...JSON.parse(labels) }) as Record<string, string>,
);

export const findServiceByCode = finder(
  `SELECT ${columns} FROM ${source} WHERE s.code = ?`,
  toService,
);

export async function listAgentServices(db: Reader, agentId: string): Promise<Service[]> {
  const rows = await db.all<ServiceRow>(
    `SELECT ${columns} FROM ${source} WHERE s.agent_id = ? ORDER BY s.id`,
    agentId,
  );
  return rows.map(toService);
}

export function listServiceCodes(
  db: Reader,
  agentId: string,
  limit: number,
): Promise<{ id: string; code: string }[]> {
  return all(db)`SELECT id, code FROM services WHERE agent_id = ${agentId}
     ORDER BY id LIMIT ${limit}`;
}

export async function listAgentServiceIds(
  db: Reader,
  agentId: string,
  limit: number,
): Promise<string[]> {
  return idsOf(
    db,
    "SELECT id FROM services WHERE agent_id = ? ORDER BY id LIMIT ?",
    agentId,
    limit,
  );
}

/** Omits the services of DISABLED agents. */
export const listLongSilentServiceIds = idsBefore(
  `SELECT s.id FROM services s WHERE s.last_reported_at < ?
       AND (SELECT status FROM agents a WHERE a.id = s.agent_id) <> 'DISABLED' LIMIT ?`,
);

/** Also deletes the service's actions. */
export const deleteService = deleter("services");

export async function listServices(
  db: Reader,
  filter: ServiceFilter,
  now: number,
  thresholds: StatusThresholds,
): Promise<Listed<Service>> {
  const filters = new Filters()
    .add("s.health_status = ?", filter.healthStatus)
    .add("s.agent_id = ?", filter.agentId)
    .add("s.id IN (SELECT service_id FROM service_actions WHERE name = ?)", filter.action)
    .oneOf(statusOfMany(), filter.status, ...statusParams(now, thresholds))
    .allOf(serviceConditions(filter.selector))
    .search(["s.code", "s.name"], filter.q);
  return pageOf(db, [columns, source, "s.id", "services s"], filters, filter, toService, sorts);
}

const sorts: Sorts = {
  code: "s.code",
  name: "s.name",
  version: "s.version",
  agentCode: "(SELECT code FROM agents WHERE id = s.agent_id)",
  lastReportedAt: "s.last_reported_at",
  healthChangedAt: ["s.health_changed_at"],
};

/** The service's own columns, which a report writes. */
export type ServiceState = Omit<
  Service,
  | "agentCode"
  | "agentLabels"
  | "agentStatus"
  | "agentHasActiveToken"
  | "agentHasStopped"
  | "agentLastHeartbeatAt"
> & { healthClass: string };

const stateColumns = [
  "agent_id name version description runtime labels health_status health_class health_message",
  "health_details health_changed_at stored_status manifest configs updated_at last_reported_at",
] as const;
const insert = inserter("services", [...stateColumns, "created_at code id"]);
const update = updater("services", stateColumns);

export async function insertService(tx: Tx, service: ServiceState): Promise<void> {
  await insert(tx, toRow(service));
}

export async function updateService(tx: Tx, service: ServiceState): Promise<void> {
  await update(tx, toRow(service));
}

type Labelled = Pick<ServiceState, "id" | "labels">;

const insertLabel = inserter("service_labels", ["service_id key value"]);

/** The index of a new service's labels. */
export async function insertServiceLabels(tx: Tx, { id, labels }: Labelled): Promise<void> {
  for (const [key, value] of Object.entries(labels)) {
    await insertLabel(tx, { serviceId: id, key, value });
  }
}

export async function replaceServiceLabels(tx: Tx, service: Labelled): Promise<void> {
  await run(tx)`DELETE FROM service_labels WHERE service_id = ${service.id}`;
  await insertServiceLabels(tx, service);
}

function toRow(service: ServiceState) {
  return {
    ...service,
    runtime: toJsonColumn(service.runtime),
    labels: JSON.stringify(service.labels),
    healthDetails: toJsonColumn(service.healthDetails),
    manifest: toJsonColumn(service.manifest),
    configs: JSON.stringify(service.configs),
  };
}

export async function setServiceAgent(tx: Tx, id: string, agentId: string): Promise<void> {
  await run(tx)`UPDATE services SET agent_id = ${agentId}, updated_at = ${tx.now} WHERE id = ${id}`;
}

/** Stores health from a heartbeat. The rest of the service stays unchanged. */
export async function updateServiceHealth(
  tx: Tx,
  id: string,
  health: {
    healthStatus: string;
    healthClass: string;
    healthMessage: string | null;
    healthChangedAt: number | null;
    storedStatus: EffectiveStatus;
  },
): Promise<void> {
  await run(tx)`UPDATE services SET health_status = ${health.healthStatus},
       health_class = ${health.healthClass}, health_message = ${health.healthMessage},
       health_changed_at = ${health.healthChangedAt}, stored_status = ${health.storedStatus}
     WHERE id = ${id}`;
}

/**
 * Returns those services whose status an unchanged report at these times changes, with the new
 * status. Only the sweep stores a status that does not follow from the reported health.
 */
export async function listRecoveredAmong(
  db: Reader,
  times: readonly TimeOf[],
): Promise<{ id: string; status: EffectiveStatus }[]> {
  const reportedAt = new Map(times);
  const rows = await db.all<{ id: string; status: EffectiveStatus; lastReportedAt: number }>(
    `SELECT id, ${statusOfClass} AS "status", last_reported_at AS "lastReportedAt" FROM services
     WHERE stored_status IN ('STALE', 'OFFLINE') AND id IN (${marks(times.length)})`,
    ...reportedAt.keys(),
  );
  return rows.filter(({ id, lastReportedAt }) => lastReportedAt < (reportedAt.get(id) ?? 0));
}

const statusOfClass = `CASE health_class WHEN 'healthy' THEN 'HEALTHY'
         WHEN 'unhealthy' THEN 'UNHEALTHY' ELSE 'UNKNOWN' END`;

/** Records an unchanged report: moves its time forward, and derives the status from health. */
export const touchServices = timesUpdater("services", {
  set: `last_reported_at = v.column2, stored_status = ${statusOfClass}`,
  where: "last_reported_at < v.column2",
});

/** Returns the number of services by the id of the agent; nothing for agents without services. */
export const countServicesOf = listFinder(
  (places) => `SELECT agent_id AS "key", COUNT(*) AS "services" FROM services
     WHERE agent_id IN (${places}) GROUP BY agent_id`,
  ({ services }: { key: string; services: number }) => services,
);

/** What the passing of time has changed about a service. */
export interface AgedService {
  id: string;
  stored: EffectiveStatus;
  status: EffectiveStatus;
  lastReportedAt: number;
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
       ${statusExpression} AS "status" FROM ${source} WHERE s.id > ? ORDER BY s.id LIMIT ?`,
    ...statusParams(now, thresholds),
    after,
    limit,
  );
}

/** Stores the effective status, and moves a report in the future to the present. */
export async function storeAged(tx: Tx, { id, status }: AgedService): Promise<void> {
  await run(tx)`UPDATE services SET stored_status = ${status}, last_reported_at =
       CASE WHEN last_reported_at > ${tx.now} THEN ${tx.now} ELSE last_reported_at END
     WHERE id = ${id}`;
}

function toService(row: ServiceRow): Service {
  return {
    ...row,
    ...flagsOf(row),
    runtime: fromJsonColumn(row.runtime),
    labels: JSON.parse(row.labels),
    agentLabels: JSON.parse(row.agentLabels),
    healthDetails: fromJsonColumn(row.healthDetails),
    manifest: fromJsonColumn(row.manifest),
    configs: JSON.parse(row.configs),
  };
}

function flagsOf(row: Pick<ServiceRow, "agentHasActiveToken" | "agentHasStopped">) {
  return {
    agentHasActiveToken: row.agentHasActiveToken === 1,
    agentHasStopped: row.agentHasStopped === 1,
  };
}
