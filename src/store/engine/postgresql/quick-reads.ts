// Quick reads of committed data. All of them share a few connections.

import type { SqlValue } from "../../database.ts";
import { ConnectionLost } from "./connection/losses.ts";
import { RenewedSession } from "./connection/renewed-session.ts";
import type { Result, Session } from "./connection/session.ts";

const connections = 2;

export class QuickReads {
  readonly #slots: { session: RenewedSession; reads: Set<Promise<Result>> }[];

  constructor(connect: () => Promise<Session>) {
    this.#slots = Array.from({ length: connections }, () => ({
      session: new RenewedSession(connect),
      reads: new Set<Promise<Result>>(),
    }));
  }

  /** Repeats the read if its connection was lost, even long before the read. */
  async query(sql: string, params: readonly SqlValue[] = []): Promise<Result> {
    try {
      return await this.#queryOnce(sql, params);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return this.#queryOnce(sql, params);
    }
  }

  /** Waits for the reads that have begun. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#slots.flatMap(({ reads }) => [...reads]));
    await Promise.all(this.#slots.map(({ session }) => session.close()));
  }

  async #queryOnce(sql: string, params: readonly SqlValue[]): Promise<Result> {
    const { session, reads } = this.#slots.reduce((best, each) =>
      each.reads.size < best.reads.size ? each : best,
    );
    const read = session.get().then((open) => open.query(sql, params));
    reads.add(read);
    try {
      return await read;
    } finally {
      reads.delete(read);
    }
  }
}
