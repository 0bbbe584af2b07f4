import { setImmediate as nextTurn } from "node:timers/promises";
import type { SqliteConnection } from "../engine/sqlite/file.ts";
import { selectTexts, type TableLayout } from "./layout.ts";
import type { RowTexts } from "./row-lines.ts";

/** A batch ends with the row that reaches one of these limits. */
const batchRows = 500;
const batchCharacters = 256 * 1024;

/** The connection can run nothing else meanwhile. */
export async function* sqliteRows(
  connection: SqliteConnection,
  table: TableLayout,
): AsyncGenerator<RowTexts[]> {
  const statement = connection.prepare(selectTexts(table)).raw();
  let batch: RowTexts[] = [];
  let characters = 0;
  for (const row of statement.iterate() as IterableIterator<RowTexts>) {
    batch.push(row);
    for (const text of row) characters += text?.length ?? 0;
    if (batch.length < batchRows && characters < batchCharacters) continue;
    yield batch;
    batch = [];
    characters = 0;
    // Signals and the other database get their turn.
    await nextTurn();
  }
  if (batch.length > 0) yield batch;
}
