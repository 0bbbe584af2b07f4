// The state of one call of a handler within the transaction of its group, for both engines.
// (docs/decisions/0003-group-commit.md)

import type { RowsStatement, SqlValue, Tx } from "../database.ts";

export abstract class EngineTx implements Tx {
  /** The time of the whole transaction, in Unix milliseconds. */
  readonly now: number;
  /** Whether the transaction must be undone if this call fails: it may have changed something. */
  isDirty = false;
  /** The number of changed rows. */
  changes = 0;
  /** The keys that the changes concern. */
  readonly concerned: string[] = [];
  #effects: (() => void)[] = [];
  #undoes: (() => void)[] = [];

  constructor(now: number) {
    this.now = now;
  }

  abstract get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined>;
  abstract all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]>;
  abstract run(sql: string, ...params: SqlValue[]): Promise<number>;
  abstract runAll(
    statement: RowsStatement,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<number>;

  concerns(key: string): void {
    this.concerned.push(key);
  }

  afterCommit(effect: () => void): void {
    this.#effects.push(effect);
  }

  afterRollback(effect: () => void): void {
    this.#undoes.push(effect);
  }

  /** Must be called when the changes are durable. */
  commit(): void {
    for (const effect of this.#effects) effect();
  }

  /** Must be called when the changes are undone. */
  undo(): void {
    const effects = this.#undoes;
    this.#undoes = [];
    for (const effect of effects) effect();
  }
}
