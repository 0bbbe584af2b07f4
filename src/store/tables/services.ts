import type { AgentFeature } from "../../domain/agents.ts";
import type { StatusThresholds } from "../../domain/effective-status.ts";
import type { Selector } from "../../domain/selectors.ts";
import type { EffectiveStatus, Service } from "../../domain/services.ts";
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
import {
  type AgentFlags,
  flagsOf,
  source,
  statusOfMany,
  statusParams,
} from "./service-statuses.ts";

interface ServiceRow
  extends Omit<
      Service,
      | "runtime"
      | "labels"
      | "agentLabels"
      | "healthDetails"
      | "manifest"
      | "configs"
      | keyof AgentFlags
    >,
    AgentFlags {
  runtime: string | null;
  labels: string;
  agentLabels: string;
  healthDetails: string | null;
  manifest: string | null;
  configs: string;
}

const columns = `s.id, s.code, s.agent_id AS "agentId", a.code AS "agentCode",
  a.status AS "agentStatus", a.last_heartbeat_at AS "agentLastHeartbeatAt",
  a.labels AS "agentLabels", ${hasActiveToken} AS "agentHasActiveToken", a.stopped_at IS NOT NULL AS "agentHasStopped",
  s.name, s.version, s.description, s.runtime, s.labels,
  s.health_status AS "healthStatus", s.health_message AS "healthMessage",
  s.health_details AS "healthDetails", s.health_changed_at AS "healthChangedAt",
  s.stored_status AS "storedStatus", s.manifest, s.configs, s.created_at AS "createdAt",
  s.updated_at AS "updatedAt", s.last_reported_at AS "lastReportedAt"`;

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

export type CommandTargetRow = Omit<CommandTarget, keyof AgentFlags | "agentFeatures"> &
  AgentFlags & { agentFeatures: string };

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

/**
 * Gives the service to another agent. What its agent has declared and reported is forgotten, because it is
 * not what the new agent says: the service has no actions, labels or health until that agent reports.
 */
export async function giveService(tx: Tx, id: string, agentId: string): Promise<void> {
  await run(tx)`UPDATE services SET agent_id = ${agentId}, updated_at = ${tx.now},
       description = NULL, runtime = NULL, labels = '{}', manifest = NULL, configs = '[]',
       health_status = NULL, health_class = ${"unknown"}, health_message = NULL,
       health_details = NULL, health_changed_at = NULL, stored_status = ${"UNKNOWN"}
     WHERE id = ${id}`;
  await run(tx)`DELETE FROM service_labels WHERE service_id = ${id}`;
  await run(tx)`DELETE FROM service_actions WHERE service_id = ${id}`;
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

/** Returns the number of services by the id of the agent; nothing for agents without services. */
export const countServicesOf = listFinder(
  (places) => `SELECT agent_id AS "key", COUNT(*) AS "services" FROM services
     WHERE agent_id IN (${places}) GROUP BY agent_id`,
  ({ services }: { key: string; services: number }) => services,
);

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
