// Lets a test observe or replace what writes do in their transactions.

import { onTestFinished, vi } from "vitest";
import type { BatchHandler, Database, Tx } from "../../src/store/database.ts";

/**
 * Passes the transaction through `wrap` each time that a handler is called. Returns a function that
 * ends this.
 */
export function wrapWrites(db: Database, wrap: (tx: Tx) => Tx): () => void {
  const { batch } = db;
  const handlers = new Map<unknown, unknown>();
  db.batch = (handler, item, key) => {
    type Handler = typeof handler;
    const wrapped: Handler =
      (handlers.get(handler) as Handler | undefined) ?? ((tx, items) => handler(wrap(tx), items));
    handlers.set(handler, wrapped);
    return batch.call(db, wrapped as BatchHandler<unknown, unknown>, item, key) as never;
  };
  return () => void Object.assign(db, { batch });
}

/** Returns the same transaction with some methods replaced. */
export function changedTx(tx: Tx, methods: Partial<Tx>): Tx {
  return new Proxy(tx, {
    get(target, name) {
      const own: unknown = Reflect.get(methods, name);
      if (own !== undefined) return own;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

/**
 * Makes the statements that contain this text fail until the returned function is called. This is
 * faster than `refuseRows`, because the schema stays the same.
 */
export function refuseWrites(db: Database, text: string): () => void {
  const check = (sql: string) => {
    if (sql.includes(text)) throw new Error("refused by the test");
  };
  return wrapWrites(db, (tx) =>
    changedTx(tx, {
      async run(sql, ...params) {
        check(sql);
        return tx.run(sql, ...params);
      },
      async runAll(statement, rows) {
        check(statement.one);
        return tx.runAll(statement, rows);
      },
    }),
  );
}

/** Makes a change just before the next transaction of `db.write` begins. */
export function beforeNextWrite(db: Database, change: () => Promise<unknown>): void {
  const write = db.write.bind(db);
  const writes = vi.spyOn(db, "write");
  onTestFinished(() => writes.mockRestore());
  writes.mockImplementationOnce(async (work) => {
    await change();
    return write(work);
  });
}
