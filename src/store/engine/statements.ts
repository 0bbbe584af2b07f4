import type BetterSqlite3 from "better-sqlite3";
import type { Reader, SqlValue } from "../database.ts";
import type { Connection } from "./sqlite-file.ts";
import { reading } from "./storage-errors.ts";

export type Statement = BetterSqlite3.Statement<unknown[]>;

/** The program has about 350 statements, on several connections. */
export const mostStatements = 512;

/**
 * Limits the number of prepared statements, because some SQL depends on the caller's filters. When
 * the younger of two generations is full, the older one is dropped.
 */
export class Statements {
  readonly #connection: Connection;
  #younger = new Map<string, Statement>();
  #older = new Map<string, Statement>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  of(sql: string): Statement {
    return this.#younger.get(sql) ?? this.#keep(sql);
  }

  #keep(sql: string): Statement {
    const statement = this.#older.get(sql) ?? this.#connection.prepare(sql);
    if (this.#younger.size === mostStatements / 2) {
      this.#older = this.#younger;
      this.#younger = new Map();
    }
    this.#younger.set(sql, statement);
    return statement;
  }
}

/**
 * Reads throw AppError UNAVAILABLE if the storage fails. They wait for the promise that `notBefore`
 * returns.
 */
export function readerOf(
  connection: Connection,
  notBefore: () => Promise<void> | null = () => null,
): Reader {
  const statements = new Statements(connection);
  const run = async <T>(read: () => unknown) => {
    const waiting = notBefore();
    if (waiting !== null) await waiting;
    return reading(read) as T;
  };
  return {
    get: <Row>(sql: string, ...params: SqlValue[]) =>
      run<Row | undefined>(() => statements.of(sql).get(...params)),
    all: <Row>(sql: string, ...params: SqlValue[]) =>
      run<Row[]>(() => statements.of(sql).all(...params)),
  };
}
