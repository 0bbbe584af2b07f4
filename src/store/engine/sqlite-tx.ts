// One write within the transaction of its group. (docs/decisions/0003-group-commit.md)

import type { SqlValue, Tx } from "../database.ts";
import type { Statement, Statements } from "./statements.ts";
import { overran, type Turn } from "./turn.ts";

export class SqliteTx implements Tx {
  readonly now: number;
  readonly effects: (() => void)[] = [];
  #undoes: (() => void)[] = [];
  hasChanged = false;
  /** The number of changed rows. */
  changes = 0;
  readonly #statements: Statements;
  readonly #turn: Turn;

  constructor(statements: Statements, now: number, turn: Turn) {
    this.#statements = statements;
    this.now = now;
    this.#turn = turn;
  }

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return this.#statement(sql).get(...params) as Row | undefined;
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return this.#statement(sql).all(...params) as Row[];
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    this.hasChanged = true;
    const { changes } = this.#statement(sql).run(...params);
    this.changes += changes;
    return changes;
  }

  /** SQLite only shows other processes that something has changed. */
  concerns(): void {}

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  afterRollback(effect: () => void): void {
    this.#undoes.push(effect);
  }

  undo(): void {
    for (const effect of this.#undoes) effect();
    this.#undoes = [];
  }

  #statement(sql: string): Statement {
    if (this.#turn.over) throw overran();
    return this.#statements.of(sql);
  }
}
