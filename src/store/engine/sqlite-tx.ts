// One write within the transaction of its group. (docs/decisions/0003-group-commit.md)

import type { Increment, RowInsert, SqlValue, Tx } from "../database.ts";
import { EngineTx } from "./engine-tx.ts";
import type { Statement, Statements } from "./statements.ts";
import { overran, type Turn } from "./turn.ts";

/** What the works of one transaction share, by its key. */
export type Shared = Map<symbol, Promise<object>>;

export class SqliteTx extends EngineTx implements Tx {
  readonly effects: (() => void)[] = [];
  readonly #statements: Statements;
  readonly #turn: Turn;
  readonly #shared: Shared;

  constructor(statements: Statements, now: number, turn: Turn, shared: Shared) {
    super(now);
    this.#statements = statements;
    this.#turn = turn;
    this.#shared = shared;
  }

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return this.#statement(sql).get(...params) as Row | undefined;
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return this.#statement(sql).all(...params) as Row[];
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    return this.#run(sql, params);
  }

  async append({ sql }: RowInsert, values: readonly SqlValue[]): Promise<void> {
    this.#run(sql, values);
  }

  async add({ sql }: Increment, amount: number, ...key: SqlValue[]): Promise<void> {
    this.#run(sql, [amount, ...key]);
  }

  /** Keeps the promise, because the statements of one work can be started together. */
  shared<T extends object>(key: symbol, find: () => Promise<T>): Promise<T> {
    const known = this.#shared.get(key);
    if (known !== undefined) return known as Promise<T>;
    const found = find();
    this.#shared.set(key, found);
    return found;
  }

  forgetShared(key: symbol): void {
    this.#shared.delete(key);
  }

  /** Works run one after the other. */
  async alone(): Promise<void> {}

  /** SQLite only shows other processes that something has changed. */
  concerns(): void {}

  afterCommit(effect: () => void): void {
    this.effects.push(effect);
  }

  #run(sql: string, params: readonly SqlValue[]): number {
    this.hasChanged = true;
    const { changes } = this.#statement(sql).run(...params);
    this.changes += changes;
    return changes;
  }

  #statement(sql: string): Statement {
    if (this.#turn.over) throw overran();
    return this.#statements.of(sql);
  }
}
