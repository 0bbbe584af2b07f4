import type { ActionEntry, DangerLevel } from "../../domain/services.ts";
import { toFlag } from "../columns.ts";
import type { Reader, Tx } from "../database.ts";
import { inserter } from "../rows.ts";
import { run } from "../sql.ts";

export interface ActionRow {
  name: string;
  label: string;
  description: string;
  dangerLevel: DangerLevel;
  requiresConfirmation: number;
  timeoutSeconds: number | null;
  inputSchema: string;
  prepare: number;
}

/** `table` is empty, or an alias with a dot. */
export const actionColumns = (table = "") => `${table}name, ${table}label, ${table}description,
  ${table}danger_level AS "dangerLevel", ${table}requires_confirmation AS "requiresConfirmation",
  ${table}timeout_seconds AS "timeoutSeconds", ${table}input_schema AS "inputSchema", ${table}prepare`;

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
  const row = await db.get<ActionRow>(
    `SELECT ${columns} FROM service_actions WHERE service_id = ? AND name = ?`,
    serviceId,
    name,
  );
  return row ? toAction(row) : null;
}

const insert = inserter("service_actions", [
  "service_id name position label description danger_level requires_confirmation timeout_seconds",
  "input_schema prepare",
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
    });
  }
}

export function toAction(row: ActionRow): ActionEntry {
  return {
    ...row,
    requiresConfirmation: row.requiresConfirmation === 1,
    timeoutSeconds: row.timeoutSeconds ?? undefined,
    inputSchema: JSON.parse(row.inputSchema),
    prepare: row.prepare === 1,
  };
}
