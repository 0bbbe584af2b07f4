import type { AgentFeature } from "../../../domain/fleet/agents.ts";
import type { StatusThresholds } from "../../../domain/fleet/effective-status.ts";
import {
  type LabelTexts,
  labelsOfService,
  parseServiceLabels,
  type ServiceLabels,
} from "../../../domain/fleet/labels.ts";
import type { Selector } from "../../../domain/fleet/selectors.ts";
import type { EffectiveStatus, Service } from "../../../domain/fleet/services.ts";
import { fromJsonColumn, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { Filters, type Listed, type Page, type Sorts } from "../../filters.ts";
import { lacksAssigned, serviceConditions, serviceLabelColumns } from "../../label-conditions.ts";
import {
  countOf,
  deleter,
  finder,
  idsBefore,
  idsOf,
  inserter,
  listFinder,
  pageOf,
  updater,
} from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";
import { hasActiveToken } from "./agents.ts";
import {
  type AgentFlags,
  flagsOf,
  source,
  statusOfMany,
  statusParams,
  urgencyOfMany,
} from "./service-statuses.ts";

interface ServiceRow
  extends Omit<
      Service,
      "runtime" | "healthDetails" | "manifest" | "configs" | keyof ServiceLabels | keyof AgentFlags
    >,
    LabelTexts<ServiceLabels>,
    AgentFlags {
  runtime: string | null;
  healthDetails: string | null;
  manifest: string | null;
  configs: string;
}

const columns = `s.id, s.code, s.agent_id AS "agentId", a.code AS "agentCode",
  a.status AS "agentStatus", a.last_heartbeat_at AS "agentLastHeartbeatAt",
  ${hasActiveToken} AS "agentHasActiveToken", a.stopped_at IS NOT NULL AS "agentHasStopped",
  ${serviceLabelColumns}, s.name, s.version, s.description, s.runtime,
  s.health_status AS "healthStatus", s.health_message AS "healthMessage",
  s.health_details AS "healthDetails", s.health_changed_at AS "healthChangedAt",
  s.stored_status AS "storedStatus", s.manifest, s.configs, s.created_at AS "createdAt",
  s.updated_at AS "updatedAt", s.last_reported_at AS "lastReportedAt",
  s.removed_at AS "removedAt", s.moved_at AS "movedAt"`;

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

/** The facts that a new command needs about its service and the agent that will fetch it. */
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
export const findCommandTargets = listFinder(
  (places) => `SELECT s.id AS "key", ${commandTargetColumns} FROM ${source}
     WHERE s.id IN (${places})`,
  toCommandTarget,
);

export function toCommandTarget(row: CommandTargetRow): CommandTarget {
  return { ...row, ...flagsOf(row), agentFeatures: JSON.parse(row.agentFeatures) };
}

const labelFinder = <Item>(toItem: (row: LabelTexts<ServiceLabels>) => Item) =>
  listFinder(
    (places) => `SELECT s.id AS "key", ${serviceLabelColumns} FROM ${source}
     WHERE s.id IN (${places})`,
    toItem,
  );

/** Finds the labels of each service by their sources, with the setting that decides which count. */
export const findLabelSources = labelFinder(parseServiceLabels);

/** Finds the labels that count for each service. */
export const findServiceLabels = labelFinder((row) => labelsOfService(parseServiceLabels(row)));

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

export async function listServiceCodes(
  db: Reader,
  agentId: string,
  limit: number,
): Promise<Pick<Service, "id" | "code" | "assignedLabels">[]> {
  const rows = await all(db)<{ id: string; code: string; labels: string }>`SELECT id, code,
       assigned_labels AS "labels" FROM services WHERE agent_id = ${agentId}
     ORDER BY id LIMIT ${limit}`;
  return rows.map(({ labels, ...row }) => ({ ...row, assignedLabels: JSON.parse(labels) }));
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

/** Omits the services of DISABLED agents, and those with assigned labels. */
export const listLongSilentServiceIds = idsBefore(
  `SELECT s.id FROM services s WHERE s.last_reported_at < ? AND s.assigned_labels = '{}'
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
  return pageOf(db, [columns, source, "s.id", "services s"], filters, filter, toService, {
    ...sorts,
    status: { by: [urgencyOfMany, ...statusParams(now, thresholds)] },
  });
}

const sorts: Sorts = {
  code: "s.code",
  name: "s.name",
  version: "s.version",
  agentCode: "(SELECT code FROM agents WHERE id = s.agent_id)",
  lastReportedAt: "s.last_reported_at",
  healthChangedAt: ["s.health_changed_at"],
};

/** The service's own columns. A report writes them. */
export type ServiceState = Omit<
  Service,
  | "agentCode"
  | Exclude<keyof ServiceLabels, "labels">
  | "agentStatus"
  | "agentHasActiveToken"
  | "agentHasStopped"
  | "agentLastHeartbeatAt"
> & { healthClass: string };

const stateColumns = [
  "agent_id name version description runtime labels health_status health_class health_message",
  "health_details health_changed_at stored_status manifest configs updated_at last_reported_at",
  "removed_at moved_at",
] as const;
const insert = inserter("services", [...stateColumns, "created_at code id"]);
const update = updater("services", stateColumns);

export async function insertService(tx: Tx, service: ServiceState): Promise<void> {
  await insert(tx, toRow(service));
}

export async function updateService(tx: Tx, service: ServiceState): Promise<void> {
  await update(tx, toRow(service));
}

/**
 * Whether there is a selected service for which a label with the key is assigned neither to the
 * service nor to its agent. Also true if no service is selected.
 */
export async function isReportedOnSelected(
  db: Reader,
  selector: Selector,
  key: string,
): Promise<boolean> {
  if (!(await isAnySelected(db, selector))) return true;
  return someService(db, selectedServices(selector).allOf([lacksAssigned(key)]));
}

export function isAnySelected(db: Reader, selector: Selector): Promise<boolean> {
  return someService(db, selectedServices(selector));
}

function selectedServices(selector: Selector): Filters {
  return new Filters().allOf(serviceConditions(selector));
}

async function someService(db: Reader, { where, params }: Filters): Promise<boolean> {
  return (await idsOf(db, `SELECT s.id FROM services s ${where} LIMIT 1`, ...params)).length > 0;
}

/** Counts the services whose label with the key is reported, and not assigned. */
export function countReported(db: Reader, key: string): Promise<number> {
  const selected = selectedServices([{ key, operator: "exists", values: [] }]);
  return countOf(db, "services s", selected.allOf([lacksAssigned(key)]));
}

/** Returns the keys of all labels that agents and services have. */
export async function listLabelKeys(db: Reader): Promise<string[]> {
  const sql = "SELECT key FROM agent_labels UNION SELECT key FROM service_labels ORDER BY key";
  return (await db.all<{ key: string }>(sql)).map(({ key }) => key);
}

/** Whether any service of the agent has assigned labels. */
export async function hasLabelledServices(db: Reader, agentId: string): Promise<boolean> {
  const sql = `SELECT id FROM services WHERE agent_id = ? AND assigned_labels <> '{}' LIMIT 1`;
  return (await idsOf(db, sql, agentId)).length > 0;
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
 * Gives the service to another agent. Deletes what the old agent declared and reported, because the
 * new agent may report something else. Until it reports, the service has no actions, reported
 * labels or health.
 */
export async function setServiceAgent(tx: Tx, id: string, agentId: string): Promise<void> {
  await run(tx)`UPDATE services SET agent_id = ${agentId}, updated_at = ${tx.now},
       description = NULL, runtime = NULL, labels = '{}', manifest = NULL, configs = '[]',
       health_status = NULL, health_class = ${"unknown"}, health_message = NULL,
       health_details = NULL, health_changed_at = NULL, stored_status = ${"UNKNOWN"},
       removed_at = NULL, moved_at = ${tx.now}
     WHERE id = ${id}`;
  await run(tx)`DELETE FROM service_labels WHERE service_id = ${id} AND assigned = 0`;
  await run(tx)`DELETE FROM service_actions WHERE service_id = ${id}`;
}

/** Lists the services that the agent has reported and that were not removed or moved. */
export function listManagedServices(
  db: Reader,
  agentId: string,
): Promise<Pick<Service, "id" | "code">[]> {
  return all(db)`SELECT id, code FROM services WHERE agent_id = ${agentId} AND removed_at IS NULL
     AND moved_at IS NULL ORDER BY code`;
}

export async function markRemoved(tx: Tx, id: string): Promise<void> {
  await run(tx)`UPDATE services SET removed_at = ${tx.now}, updated_at = ${tx.now}
     WHERE id = ${id}`;
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

/** Returns the number of services by the id of the agent; agents without services are absent. */
export const countServicesOf = listFinder(
  (places) => `SELECT agent_id AS "key", COUNT(*) AS "services" FROM services
     WHERE agent_id IN (${places}) GROUP BY agent_id`,
  ({ services }: { services: number }) => services,
);

function toService(row: ServiceRow): Service {
  return {
    ...row,
    ...flagsOf(row),
    ...parseServiceLabels(row),
    runtime: fromJsonColumn(row.runtime),
    healthDetails: fromJsonColumn(row.healthDetails),
    manifest: fromJsonColumn(row.manifest),
    configs: JSON.parse(row.configs),
  };
}
