// One write within the transaction of its group. (docs/decisions/0022-postgresql-writes.md)

import type { Increment, RowInsert, SqlValue, Tx } from "../../database.ts";
import { EngineTx } from "../engine-tx.ts";
import { overran } from "../turn.ts";
import { JoinedStatements, type Sender } from "./joined-statements.ts";
import { LaterWrites } from "./later-writes.ts";
import type { Session } from "./session.ts";
import type { LockedTransaction } from "./write-lock.ts";

/** What the works of one transaction have in common. */
export class Group {
  readonly session: Session;
  readonly now: number;
  readonly later = new LaterWrites();
  /** The statements of works that run at the same time. */
  readonly joined: JoinedStatements;
  readonly shared = new Map<symbol, Promise<object>>();
  /** In the order in which works that run at the same time have registered them. */
  readonly effects: { tx: GroupTx; effect: () => void }[] = [];
  /** The error of a statement that no work waits for. */
  failure: unknown = null;
  /** Rejects when a work is given up, for the works that wait for what it finds. */
  readonly ended: Promise<never>;
  readonly end: (error: Error) => void;

  constructor({ session, now }: LockedTransaction) {
    this.session = session;
    this.joined = new JoinedStatements(session);
    this.now = now;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.ended = promise;
    this.end = reject;
  }

  /** Sends what was kept for later. The connection runs statements in the order of their sending. */
  writeLater(): void {
    this.joined.close();
    for (const [sql, ...params] of this.later.take()) {
      this.session.query(sql, params).catch((error: unknown) => {
        this.failure ??= error;
      });
    }
  }

  /** Must be called when changes of the transaction were undone. */
  forget(): void {
    this.later.clear();
    this.shared.clear();
    this.failure = null;
  }
}

export class GroupTx extends EngineTx implements Tx, Sender {
  place = 0;
  /** The error of the first statement that failed. PostgreSQL runs no statement after it. */
  failure: unknown = null;
  /** What the change concerns; null if it may concern everything. */
  concerned: string[] | null = null;
  /** Whether the work was given up because it awaited something else. */
  hasOverrun = false;
  /** Whether the work must run again, without others at the same time. */
  mustBeAlone = false;
  readonly #group: Group;
  readonly #isAlone: boolean;
  /** How many statements, or others' statements, the work may be waiting for. */
  #outstanding = 0;
  #drained: (() => void) | null = null;
  #isOver = false;
  #giveUp: (error: Error) => void = () => undefined;

  constructor(group: Group, isAlone: boolean) {
    super(group.now);
    this.#group = group;
    this.#isAlone = isAlone;
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

  async append(row: RowInsert, values: readonly SqlValue[]): Promise<void> {
    this.#noteChange();
    this.#group.later.append(row, values);
  }

  async add(to: Increment, amount: number, ...key: SqlValue[]): Promise<void> {
    this.#noteChange();
    this.#group.later.add(to, amount, key);
  }

  async shared<T extends object>(key: symbol, find: () => Promise<T>): Promise<T> {
    this.#requireGood();
    const { shared, ended } = this.#group;
    const known = shared.get(key) as Promise<T> | undefined;
    if (known !== undefined) return this.#whileWaiting(Promise.race([known, ended]));
    const found = find();
    shared.set(key, found);
    return found;
  }

  forgetShared(key: symbol): void {
    this.#group.shared.delete(key);
  }

  async alone(): Promise<void> {
    if (this.#isAlone) return;
    this.mustBeAlone = true;
    throw new Error("a write must run alone");
  }

  concerns(...keys: string[]): void {
    this.concerned = [...(this.concerned ?? []), ...keys];
  }

  afterCommit(effect: () => void): void {
    this.#group.effects.push({ tx: this, effect });
  }

  #noteChange(): void {
    this.#requireGood();
    this.hasChanged = true;
    this.changes++;
  }

  #requireGood(): void {
    if (this.#isOver) throw overran();
    if (this.failure !== null) throw this.failure;
  }

  async #query(sql: string, params: SqlValue[]) {
    this.#requireGood();
    const { session, later, joined } = this.#group;
    if (later.mustPrecede(sql)) this.#group.writeLater();
    try {
      return await this.#whileWaiting(
        this.#isAlone ? session.query(sql, params) : joined.query(this, sql, params),
      );
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  async #whileWaiting<T>(waited: Promise<T>): Promise<T> {
    this.#outstanding++;
    try {
      return await waited;
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
      this.hasOverrun = true;
      this.#group.end(overran());
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
