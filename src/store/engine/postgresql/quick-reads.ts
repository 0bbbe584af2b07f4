// Reads of committed data that take little time. Many share a few connections.

import type { QueryResult } from "pg";
import type { SqlValue } from "../../database.ts";
import { ConnectionLost } from "./losses.ts";
import { RenewedSession } from "./renewed-session.ts";
import type { Session } from "./session.ts";

const connections = 2;

export class QuickReads {
  readonly #slots: { session: RenewedSession; reads: number }[];

  constructor(connect: () => Promise<Session>) {
    this.#slots = Array.from({ length: connections }, () => ({
      session: new RenewedSession(connect),
      reads: 0,
    }));
  }

  /** Repeats the read if its connection was lost, which may have happened long before. */
  async query(sql: string, params: readonly SqlValue[] = []): Promise<QueryResult> {
    try {
      return await this.#queryOnce(sql, params);
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      return this.#queryOnce(sql, params);
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#slots.map(({ session }) => session.close()));
  }

  async #queryOnce(sql: string, params: readonly SqlValue[]): Promise<QueryResult> {
    const slot = this.#slots.reduce((best, each) => (each.reads < best.reads ? each : best));
    slot.reads++;
    try {
      const session = await slot.session.get();
      return await session.query(sql, params);
    } finally {
      slot.reads--;
    }
  }
}
