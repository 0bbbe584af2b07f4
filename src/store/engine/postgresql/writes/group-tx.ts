// One call of a handler within the transaction of its group.
// (docs/decisions/0022-postgresql-writes.md)

import type { RowsStatement, SqlValue } from "../../../database.ts";
import { EngineTx } from "../../engine-tx.ts";
import { turnExceeded } from "../../turn.ts";
import type { Result } from "../connection/session.ts";
import { toValue } from "../connection/values.ts";
import type { LockedTransaction } from "./write-lock.ts";

export class GroupTx extends EngineTx {
  /** The error of the first statement that failed. PostgreSQL runs no statement after it. */
  failure: unknown = null;
  /** Whether the call was given up because it awaited something other than its statements. */
  hasOverrun = false;
  readonly #transaction: LockedTransaction;
  #outstanding = 0;
  #drained: (() => void) | null = null;
  #isOver = false;
  #giveUp: (error: Error) => void = () => undefined;

  constructor(transaction: LockedTransaction) {
    super(transaction.now);
    this.#transaction = transaction;
  }

  /**
   * Runs the work until all of its statements have ended. Rejects with what the work threw, or with
   * `turnExceeded()` if it awaits something other than its statements.
   */
  async perform<T>(work: () => Promise<T>): Promise<T> {
    const tooLong = new Promise<never>((_, reject) => {
      this.#giveUp = reject;
    });
    this.#watch();
    try {
      return await Promise.race([work(), tooLong]);
    } finally {
      await this.#drain();
      this.#isOver = true;
    }
  }

  async get<Row>(sql: string, ...params: SqlValue[]): Promise<Row | undefined> {
    return (await this.#query(sql, params)).rows[0];
  }

  async all<Row>(sql: string, ...params: SqlValue[]): Promise<Row[]> {
    return (await this.#query(sql, params)).rows;
  }

  async run(sql: string, ...params: SqlValue[]): Promise<number> {
    return this.#change(sql, params);
  }

  /** Sends many rows as one parameter, so that their number does not change the statement. */
  async runAll(
    { one, all, columns }: RowsStatement,
    rows: readonly (readonly SqlValue[])[],
  ): Promise<number> {
    const [first] = rows;
    if (first === undefined) return 0;
    if (rows.length === 1) return this.#change(one, first);
    const objects = rows.map((values) =>
      Object.fromEntries(columns.map((name, at) => [name, toValue(values[at] ?? null)])),
    );
    return this.#change(all, [JSON.stringify(objects)]);
  }

  async #change(sql: string, params: readonly SqlValue[]): Promise<number> {
    this.isDirty = true;
    const changes = (await this.#query(sql, params)).rowCount ?? 0;
    this.changes += changes;
    return changes;
  }

  async #query(sql: string, params: readonly SqlValue[]): Promise<Result> {
    if (this.#isOver) throw turnExceeded();
    if (this.failure !== null) throw this.failure;
    this.#outstanding++;
    try {
      return await this.#transaction.session.query(sql, params);
    } catch (error) {
      this.isDirty = true;
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
   * Gives up work that awaits something other than its statements, because the cluster's lock is
   * held meanwhile. At the end of each turn of the event loop, correct work is waiting for a
   * statement or has ended.
   */
  #watch(): void {
    setImmediate(() => {
      if (this.#isOver || this.#outstanding > 0) return;
      this.#isOver = true;
      this.hasOverrun = true;
      this.#giveUp(turnExceeded());
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
