// Stores the results that agents report: for each command the outcome and one late result.

import type { CommandResult } from "../../domain/commands.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { fromJsonColumn, toFlag, toJsonColumn } from "../columns.ts";
import type { Reader, Tx } from "../database.ts";
import { rowsInserter } from "../rows.ts";
import { run } from "../sql-tag.ts";

interface ResultRow extends Omit<CommandResult, "late" | "success" | "output" | "error" | "other"> {
  late: number;
  success: number;
  output: string | null;
  error: string | null;
  other: string | null;
}

const columns = `id, command_id AS "commandId", late, success, output_json AS "output",
  error_json AS "error", other_json AS "other", message, fingerprint, received_at AS "receivedAt"`;

const insertRows = rowsInserter("command_results", [
  "id command_id late success output_json error_json other_json message fingerprint received_at",
]);

/** Stores the outcomes of commands. */
export async function insertResults(tx: Tx, results: readonly CommandResult[]): Promise<void> {
  await insertRows(tx, results.map(toRow));
}

/** Replaces the late result of its command. */
export async function replaceLateResult(tx: Tx, result: CommandResult): Promise<void> {
  await run(tx)`DELETE FROM command_results WHERE command_id = ${result.commandId} AND late = 1`;
  await insertRows(tx, [toRow(result)]);
}

function toRow(result: CommandResult) {
  return {
    ...result,
    late: toFlag(result.late),
    success: toFlag(result.success),
    // `null` is an output; without one, the column is NULL.
    outputJson: result.output === undefined ? null : JSON.stringify(result.output),
    errorJson: toJsonColumn(result.error),
    otherJson: toJsonColumn(result.other),
  };
}

export async function findResult(
  db: Reader,
  commandId: string,
  kind: "outcome" | "late",
): Promise<CommandResult | null> {
  const late = kind === "late" ? 1 : 0;
  const row = await db.get<ResultRow>(
    `SELECT ${columns} FROM command_results WHERE command_id = ? AND late = ${late}`,
    commandId,
  );
  if (!row) return null;
  return {
    ...row,
    late: row.late === 1,
    success: row.success === 1,
    output: row.output === null ? undefined : fromJsonColumn(row.output),
    error: row.error === null ? undefined : fromJsonColumn<JsonObject>(row.error),
    other: row.other === null ? undefined : fromJsonColumn<JsonObject>(row.other),
  };
}
