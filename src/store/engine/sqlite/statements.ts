import type BetterSqlite3 from "better-sqlite3";
import type { BulkReader, SqlValue } from "../../database.ts";
import { textOfRows } from "../../row-texts.ts";
import { reading } from "../storage-errors.ts";
import type { SqliteConnection } from "./file.ts";

export type Statement = BetterSqlite3.Statement<unknown[]>;

/** The program has about 700 statements, on several connections. */
export const mostStatements = 1000;

/**
 * Keeps prepared statements. Drops all of them when there are too many, because some SQL depends on
 * the caller's filters.
 */
export class Statements {
  readonly #connection: SqliteConnection;
  readonly #prepared = new Map<string, Statement>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  of(sql: string): Statement {
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(compiledOnce(sql));
    if (this.#prepared.size >= mostStatements) this.#prepared.clear();
    this.#prepared.set(sql, statement);
    return statement;
  }
}

/**
 * If a bound value could change the plan, as with ORDER BY or LIMIT, SQLite compiles the statement
 * again for every run. This takes longer than most runs. Writing `+?`, which is an expression,
 * prevents it.
 */
function compiledOnce(sql: string): string {
  return sql.replaceAll("?", "+?");
}

/** Reads throw AppError UNAVAILABLE if the storage fails. */
export function readerOf(connection: SqliteConnection): BulkReader {
  const statements = new Statements(connection);
  return readerFrom(async (sql, run) => reading(() => run(statements.of(sql))));
}

/** `read` prepares the SQL on a connection, and runs it. */
export function readerFrom(
  read: (sql: string, run: (statement: Statement) => unknown) => Promise<unknown>,
): BulkReader {
  return {
    get: <Row>(sql: string, ...params: SqlValue[]) =>
      read(sql, (statement) => statement.get(...params)) as Promise<Row | undefined>,
    all: <Row>(sql: string, ...params: SqlValue[]) =>
      read(sql, (statement) => statement.all(...params)) as Promise<Row[]>,
    text: (kind, sql, ...params) =>
      read(sql, (statement) => textOfRows(kind, statement.all(...params))) as Promise<string>,
  };
}
