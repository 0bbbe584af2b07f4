// Stores the results that agents report: for each command, its outcome and the last late result.

import type { Command, CommandResult } from "../../../domain/commands/commands.ts";
import type { Json, JsonObject } from "../../../domain/payload/json.ts";
import { fromJsonColumn, toFlag, toJsonColumn } from "../../columns.ts";
import type { Reader, Tx } from "../../database.ts";
import { listFinder, rowsInserter } from "../../rows.ts";
import { run } from "../../sql-tag.ts";

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

export type CommandOutcome = Pick<
  Command,
  "status" | "startedAt" | "completedAt" | "errorCode" | "errorMessage"
> & {
  /** The length of the output as JSON; null if the command has no output. */
  outputBytes: number | null;
};

export const findCommandOutcomes = listFinder(
  (places) => `SELECT c.id AS "key", c.status, c.started_at AS "startedAt",
       c.completed_at AS "completedAt", c.error_code AS "errorCode",
       c.error_message AS "errorMessage", OCTET_LENGTH(r.output_json) AS "outputBytes"
     FROM commands c LEFT JOIN command_results r ON r.command_id = c.id AND r.late = 0
     WHERE c.id IN (${places})`,
  (outcome: CommandOutcome) => outcome,
);

/** Finds the outputs of commands. Commands without an output are left out. */
export const findResultOutputs = listFinder(
  (places) => `SELECT command_id AS "key", output_json AS "output" FROM command_results
     WHERE command_id IN (${places}) AND late = 0 AND output_json IS NOT NULL`,
  ({ output }: { output: string }) => JSON.parse(output) as Json,
);
