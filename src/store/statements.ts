// The prepared statements of one connection, and reading through them.

import type BetterSqlite3 from "better-sqlite3";
import type { Reader, SqlValue } from "./database.ts";
import type { Connection } from "./sqlite-file.ts";
import { reading } from "./storage-errors.ts";

export type Statement = BetterSqlite3.Statement<unknown[]>;

/** Each text is prepared once, and kept. */
export class Statements {
  readonly #connection: Connection;
  readonly #prepared = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  of(sql: string): Statement {
    let statement = this.#prepared.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql);
      this.#prepared.set(sql, statement);
    }
    return statement;
  }
}

/** Reads through a connection. Throws AppError UNAVAILABLE when the storage fails. */
export function readerOf(connection: Connection): Reader {
  const statements = new Statements(connection);
  return {
    async get<Row>(sql: string, ...params: SqlValue[]) {
      return reading(() => statements.of(sql).get(...params) as Row | undefined);
    },
    async all<Row>(sql: string, ...params: SqlValue[]) {
      return reading(() => statements.of(sql).all(...params) as Row[]);
    },
  };
}
