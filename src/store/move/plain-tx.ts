// A transaction outside the engine's groups of writes, for the only row that a move adds.

import type { Reader, SqlValue, Tx } from "../database.ts";

interface PlainTxOptions {
  read: Reader;
  /** Returns how many rows changed. */
  run: (sql: string, params: readonly SqlValue[]) => Promise<number>;
  /** Unix milliseconds. */
  now: number;
}

/** Effects are ignored, because nothing in memory depends on such a transaction. */
export function plainTx({ read, run, now }: PlainTxOptions): Tx {
  return {
    ...read,
    now,
    run: (sql, ...params) => run(sql, params),
    runAll: async ({ one }, rows) => {
      let changes = 0;
      for (const row of rows) changes += await run(one, row);
      return changes;
    },
    concerns: () => undefined,
    afterCommit: () => undefined,
    afterRollback: () => undefined,
  };
}
