// Reads the services that a rollout may run on, each with its declaration of the action.

import type { StatusThresholds } from "../../domain/effective-status.ts";
import type { RolloutChoice } from "../../domain/rollouts.ts";
import { parseSelector } from "../../domain/selectors.ts";
import type { ActionEntry } from "../../domain/services.ts";
import type { Reader } from "../database.ts";
import { Filters } from "../filters.ts";
import { serviceConditions } from "../label-conditions.ts";
import { listFinder } from "../rows.ts";
import { type ActionRow, actionColumns, toAction } from "./service-actions.ts";
import { source, statusOfMany, statusParams } from "./service-statuses.ts";
import {
  type CommandTarget,
  type CommandTargetRow,
  commandTargetColumns,
  toCommandTarget,
} from "./services.ts";

export interface Candidate {
  service: CommandTarget;
  /** Null if the service does not declare the action. */
  action: ActionEntry | null;
}

type Row = CommandTargetRow & Partial<ActionRow>;

const codesIn = (table: string) =>
  listFinder<true, { key: string }>(
    (places) => `SELECT code AS "key" FROM ${table} WHERE code IN (${places})`,
    () => true,
  );

/** Which of these codes exist. */
export const findServiceCodes = codesIn("services");
export const findAgentCodes = codesIn("agents");

/** In the order of their ids, from after `after`. */
export async function listCandidates(
  db: Reader,
  { selector, services, agents, status }: RolloutChoice,
  action: string,
  {
    after,
    limit,
    now,
    thresholds,
  }: {
    after: string;
    limit: number;
    now: number;
    thresholds: StatusThresholds;
  },
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
