// One call of a handler within the transaction of its group. (docs/decisions/0003-group-commit.md)

import type { RowsStatement, SqlValue } from "../../database.ts";
import { EngineTx } from "../engine-tx.ts";
import { type Turn, turnExceeded } from "../turn.ts";
import type { SqliteConnection } from "./file.ts";
import type { Statement, Statements } from "./statements.ts";

export class SqliteTx extends EngineTx {
  /** The error after which SQLite ended the transaction by itself, such as a full disk. */
  failure: unknown = null;
  readonly #connection: SqliteConnection;
  readonly #statements: Statements;
  readonly #turn: Turn;
  #isOver = false;

  constructor(connection: SqliteConnection, statements: Statements, now: number, turn: Turn) {
    super(now);
    this.#connection = connection;
    this.#statements = statements;
    this.#turn = turn;
  }

  /** Statements that the work still sends after it has settled are refused. */
  async perform<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.#isOver = true;
    }
  }

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return this.#run(sql, (statement) => statement.get(...params)) as Row | undefined;
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return this.#run(sql, (statement) => statement.all(...params)) as Row[];
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    return this.#run(sql, (statement) => this.#change(statement, params));
  }

  /**
   * Running a prepared statement for each row is faster than one statement for all rows, which
   * would have to read them as JSON.
   */
  async runAll({ one }: RowsStatement, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    return this.#run(one, (statement) => {
      let changes = 0;
      for (const row of rows) changes += this.#change(statement, row);
      return changes;
    });
  }

  #change(statement: Statement, params: readonly SqlValue[]): number {
    this.isDirty = true;
    const { changes } = statement.run(...params);
    this.changes += changes;
    return changes;
  }

  /**
   * Runs nothing after the transaction has ended, because SQLite would commit each further
   * statement at once.
   */
  #run<T>(sql: string, work: (statement: Statement) => T): T {
    if (this.#isOver || this.#turn.over) throw turnExceeded();
    if (this.failure !== null) throw this.failure;
    try {
      return work(this.#statements.of(sql));
    } catch (error) {
      if (!this.#connection.inTransaction) this.failure = error;
      throw error;
    }
  }
}
