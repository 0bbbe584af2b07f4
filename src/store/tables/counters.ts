// Stores counters that only increase and that survive restarts and pruning.

import type { Reader, Tx } from "../database.ts";
import { run } from "../sql-tag.ts";

export async function addToCounter(tx: Tx, name: string, amount: number): Promise<void> {
  await run(tx)`INSERT INTO counters (name, value) VALUES (${name}, ${amount})
     ON CONFLICT (name) DO UPDATE SET value = counters.value + excluded.value`;
}

export async function readCounters(db: Reader): Promise<Record<string, number>> {
  const rows = await db.all<{ name: string; value: number }>("SELECT name, value FROM counters");
  return Object.fromEntries(rows.map((row) => [row.name, row.value]));
}
