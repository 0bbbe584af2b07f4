// Reads the services that a rollout may run on, each with its declaration of the action.

import type { StatusThresholds } from "../../../domain/fleet/effective-status.ts";
import type { LabelTexts, ServiceLabels } from "../../../domain/fleet/labels.ts";
import { parseSelector } from "../../../domain/fleet/selectors.ts";
import type { ActionEntry, DangerLevel, EffectiveStatus } from "../../../domain/fleet/services.ts";
import type { RolloutChoice } from "../../../domain/rollouts/rollouts.ts";
import type { Reader } from "../../database.ts";
import { Filters } from "../../filters.ts";
import { serviceConditions, serviceLabelColumns } from "../../label-conditions.ts";
import { listFinder } from "../../rows.ts";
import { type ActionRow, actionColumns, toAction } from "../fleet/service-actions.ts";
import { source, statusExpression, statusOfMany, statusParams } from "../fleet/service-statuses.ts";
import {
  type CommandTarget,
  type CommandTargetRow,
  commandTargetColumns,
  toCommandTarget,
} from "../fleet/services.ts";

export interface Candidate {
  service: CommandTarget;
  /** Null if the service does not declare the action. */
  action: ActionEntry | null;
}

type Row = CommandTargetRow & Partial<ActionRow>;

const codesIn = (table: string) =>
  listFinder(
    (places) => `SELECT code AS "key" FROM ${table} WHERE code IN (${places})`,
    () => true,
  );

/** Both find out which of the given codes exist. */
export const findServiceCodes = codesIn("services");
export const findAgentCodes = codesIn("agents");

interface StatusTimes {
  now: number;
  thresholds: StatusThresholds;
}

interface PageOfServices {
  /** The id of the last service of the previous page. */
  after: string;
  limit: number;
}

/** The facts that decide whether a service is chosen, except its labels. */
export interface FleetMember {
  id: string;
  code: string;
  agentCode: string;
  status: EffectiveStatus;
}

/** Lists the services in the order of their ids. */
export function listFleet(
  db: Reader,
  { services, agents }: Pick<RolloutChoice, "services" | "agents">,
  { after, limit, now, thresholds }: PageOfServices & StatusTimes,
): Promise<(FleetMember & LabelTexts<ServiceLabels>)[]> {
  const filters = new Filters()
    .always("s.id > ?", after)
    .oneOf("s.code", services)
    .oneOf("a.code", agents);
  return db.all(
    `SELECT s.id, s.code, a.code AS "agentCode", ${serviceLabelColumns},
       ${statusExpression} AS "status" FROM ${source} ${filters.where} ORDER BY s.id LIMIT ?`,
    ...statusParams(now, thresholds),
    ...filters.params,
    limit,
  );
}

/** Lists the services that declare an action, in the order of their ids. */
export function listDeclaring(
  db: Reader,
  action: string,
  { after, limit }: PageOfServices,
): Promise<{ serviceId: string; dangerLevel: DangerLevel }[]> {
  return db.all(
    `SELECT service_id AS "serviceId", danger_level AS "dangerLevel" FROM service_actions
     WHERE name = ? AND service_id > ? ORDER BY service_id LIMIT ?`,
    action,
    after,
    limit,
  );
}

/** Lists the services in the order of their ids. */
export async function listCandidates(
  db: Reader,
  { selector, services, agents, status }: RolloutChoice,
  action: string,
  { after, limit, now, thresholds }: PageOfServices & StatusTimes,
): Promise<Candidate[]> {
  const filters = new Filters()
    .always("s.id > ?", after)
    .oneOf("s.code", services)
    .oneOf("a.code", agents)
    .oneOf(statusOfMany(), status, ...statusParams(now, thresholds))
    .allOf(serviceConditions(selector === undefined ? [] : parseSelector(selector)));
  const rows = await db.all<Row>(
    `SELECT ${commandTargetColumns}, ${actionColumns("x.")} FROM ${source}
       LEFT JOIN service_actions x ON x.service_id = s.id AND x.name = ?
     ${filters.where} ORDER BY s.id LIMIT ?`,
    action,
    ...filters.params,
    limit,
  );
  return rows.map((row) => ({
    service: toCommandTarget(row),
    action: row.name === null ? null : toAction(row as Row & ActionRow),
  }));
}
