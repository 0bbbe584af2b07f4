import type { ActionEntry, DangerLevel } from "../../../domain/fleet/services.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { blocksOf, placeholders } from "../../blocks.ts";
import { toFlag } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { inserter, listFinder } from "../../rows.ts";
import { all, run } from "../../sql-tag.ts";

export interface ActionRow {
  name: string;
  label: string;
  description: string;
  category: string | null;
  order: number | null;
  hidden: number;
  dangerLevel: DangerLevel;
  requiresConfirmation: number;
  timeoutSeconds: number | null;
  inputSchema: string;
  prepare: number;
}

/** `table` is empty, or an alias with a dot. */
export const actionColumns = (table = "") => `${table}name, ${table}label, ${table}description,
  ${table}danger_level AS "dangerLevel", ${table}requires_confirmation AS "requiresConfirmation",
  ${table}timeout_seconds AS "timeoutSeconds", ${table}input_schema AS "inputSchema", ${table}prepare,
  ${table}category, ${table}sort_order AS "order", ${table}hidden`;

const columns = actionColumns();

/** Lists the actions in the order in which the service declares them. */
export async function listActions(db: Reader, serviceId: string): Promise<ActionEntry[]> {
  const rows = await db.all<ActionRow>(
    `SELECT ${columns} FROM service_actions WHERE service_id = ? ORDER BY position`,
    serviceId,
  );
  return rows.map(toAction);
}

export async function findAction(
  db: Reader,
  serviceId: string,
  name: string,
): Promise<ActionEntry | null> {
  return (await findActionOf(db, [serviceId], name)).get(serviceId) ?? null;
}

/**
 * Finds the action with this name for each service that declares it, by the ids of the services.
 */
export const findActionOf = listFinder(
  (places) => `SELECT service_id AS "key", ${columns} FROM service_actions
     WHERE name = ? AND service_id IN (${places})`,
  (row: ActionRow) => toAction(row),
);

/** Lists the distinct schemas that services declare for an action with this name. */
export async function listSchemasOfAction(
  db: Reader,
  name: string,
  limit: number,
): Promise<JsonObject[]> {
  const rows = await all(db)<{ inputSchema: string }>`SELECT DISTINCT input_schema AS "inputSchema"
     FROM service_actions WHERE name = ${name} ORDER BY input_schema LIMIT ${limit}`;
  return rows.map(({ inputSchema }) => JSON.parse(inputSchema));
}

/** Services that declare an action with the same label and danger level. */
export interface DeclaredBy {
  name: string;
  label: string;
  dangerLevel: DangerLevel;
  services: number;
  serviceId: string;
  position: number;
}

/** Lists the visible actions that the services declare. The same action can occur several times. */
export async function listActionsOf(
  db: Reader,
  serviceIds: readonly string[],
): Promise<DeclaredBy[]> {
  const parts = blocksOf(serviceIds).map((ids) =>
    db.all<DeclaredBy>(
      `SELECT name, label, danger_level AS "dangerLevel", COUNT(*) AS "services",
         MIN(service_id) AS "serviceId", MIN(position) AS "position" FROM service_actions
       WHERE service_id IN (${placeholders(ids.length)}) AND hidden = 0
       GROUP BY name, label, danger_level`,
      ...ids,
    ),
  );
  return (await Promise.all(parts)).flat();
}

const insert = inserter("service_actions", [
  "service_id name position label description danger_level requires_confirmation timeout_seconds",
  "input_schema prepare category sort_order hidden",
]);

export async function replaceActions(
  tx: Tx,
  serviceId: string,
  actions: ActionEntry[],
): Promise<void> {
  await run(tx)`DELETE FROM service_actions WHERE service_id = ${serviceId}`;
  for (const [position, action] of actions.entries()) {
    await insert(tx, {
      ...action,
      serviceId,
      position,
      requiresConfirmation: toFlag(action.requiresConfirmation),
      timeoutSeconds: action.timeoutSeconds ?? null,
      inputSchema: JSON.stringify(action.inputSchema),
      prepare: toFlag(action.prepare),
      category: action.category ?? null,
      sortOrder: action.order ?? null,
      hidden: toFlag(action.hidden),
    });
  }
}

/** Omits absent values, as reports do, because stored actions are compared with reported ones. */
export function toAction(row: ActionRow): ActionEntry {
  const { category, order, timeoutSeconds, ...rest } = row;
  return {
    ...rest,
    ...(category === null ? {} : { category }),
    ...(order === null ? {} : { order }),
    hidden: row.hidden === 1,
    requiresConfirmation: row.requiresConfirmation === 1,
    ...(timeoutSeconds === null ? {} : { timeoutSeconds }),
    inputSchema: JSON.parse(row.inputSchema),
    prepare: row.prepare === 1,
  };
}
