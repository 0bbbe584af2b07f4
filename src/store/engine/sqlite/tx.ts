// One call of a handler within the transaction of its group. (docs/decisions/0003-group-commit.md)

import type { RowsStatement, SqlValue } from "../../database.ts";
import { EngineTx } from "../engine-tx.ts";
import { type Turn, turnExceeded } from "../turn.ts";
import type { Statement, Statements } from "./statements.ts";

export class SqliteTx extends EngineTx {
  readonly #statements: Statements;
  readonly #turn: Turn;

  constructor(statements: Statements, now: number, turn: Turn) {
    super(now);
    this.#statements = statements;
    this.#turn = turn;
  }

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return this.#statement(sql).get(...params) as Row | undefined;
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return this.#statement(sql).all(...params) as Row[];
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    return this.#change(this.#statement(sql), params);
  }

  /**
   * Running a prepared statement for each row is faster than one statement for all rows, which
   * would have to read them as JSON.
   */
  async runAll({ one }: RowsStatement, rows: readonly (readonly SqlValue[])[]): Promise<number> {
    const statement = this.#statement(one);
    let changes = 0;
    for (const row of rows) changes += this.#change(statement, row);
    return changes;
  }

  #change(statement: Statement, params: readonly SqlValue[]): number {
    this.isDirty = true;
    const { changes } = statement.run(...params);
    this.changes += changes;
    return changes;
  }

  #statement(sql: string): Statement {
    if (this.#turn.over) throw turnExceeded();
    return this.#statements.of(sql);
  }
}
