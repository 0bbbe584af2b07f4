// One write within the transaction of its group. (docs/decisions/0022-postgresql-writes.md)

import type { SqlValue, Tx } from "../../database.ts";
import { overran } from "../turn.ts";
import type { Session } from "./session.ts";

export class GroupTx implements Tx {
  readonly now: number;
  readonly effects: (() => void)[] = [];
  #undoes: (() => void)[] = [];
  hasChanged = false;
  /** The number of changed rows. */
  changes = 0;
  /** The error of the first statement that failed. PostgreSQL runs no statement after it. */
  failure: unknown = null;
  /** What the change concerns; null if it may concern everything. */
  concerned: string[] | null = null;
  readonly #session: Session;
  #outstanding = 0;
  #drained: (() => void) | null = null;
  #isOver = false;
  #giveUp: (error: Error) => void = () => undefined;

  constructor(session: Session, now: number) {
    this.#session = session;
    this.now = now;
  }

  /**
   * Runs the work until all of its statements have ended. Rejects with what it threw, or with
   * `overran()` if it awaits something other than its statements.
   */
  async perform<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const tooLong = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    this.#watch();
    try {
      return await Promise.race([work(this), tooLong]);
    } finally {
      await this.#drain();
      this.#isOver = true;
    }
  }

  /** Whether the work was given up because it awaited something else. */
  overran = false;

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0];
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return (await this.#query(sql, params)).rows;
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    this.hasChanged = true;
    const changes = (await this.#query(sql, params)).rowCount ?? 0;
    this.changes += changes;
    return changes;
  }

  concerns(...keys: string[]): void {
    this.concerned = [...(this.concerned ?? []), ...keys];
  }

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

  async #query(sql: string, params: SqlValue[]) {
    if (this.#isOver) throw overran();
    if (this.failure !== null) throw this.failure;
    this.#outstanding++;
    try {
      return await this.#session.query(sql, params);
    } catch (error) {
      this.failure ??= error;
      throw error;
    } finally {
      this.#outstanding--;
      if (this.#outstanding === 0) {
        this.#drained?.();
        this.#watch();
      }
    }
  }

  /**
   * A statement takes many turns of the event loop, but at the end of each turn a work is waiting
   * for a statement, or has ended. Otherwise it awaits something else, and holds the cluster's lock.
   */
  #watch(): void {
    setImmediate(() => {
      if (this.#isOver || this.#outstanding > 0) return;
      this.#isOver = true;
      this.overran = true;
      this.#giveUp(overran());
    });
  }

  async #drain(): Promise<void> {
    while (this.#outstanding > 0) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
      });
    }
  }
}
