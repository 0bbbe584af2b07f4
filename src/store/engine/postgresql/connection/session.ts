// One connection to PostgreSQL, with its settings and prepared statements.

import type { Client, QueryResult } from "pg";
import type { SqlValue } from "../../../database.ts";
import { mostStatements } from "../../sqlite/statements.ts";
import type { PostgresAddress } from "./address.ts";
import { connectTo } from "./connect.ts";
import { ConnectionLost, isLoss, isStalePlan } from "./losses.ts";
import { toText } from "./values.ts";

export type Result = Pick<QueryResult, "rows" | "rowCount" | "command">;

/** In milliseconds. Zero means no limit. */
export interface SessionLimits {
  statement: number;
  lock: number;
  /**
   * A transaction that waits this long for its client is rolled back, and the connection closed.
   */
  idleInTransaction: number;
  /** How long a new connection may take. */
  connect: number;
}

export interface SessionOptions {
  limits: SessionLimits;
  isReadOnly?: boolean;
  /** Whether commits wait for the disk even if the server's settings say otherwise. */
  isDurable?: boolean;
  /** Further settings. */
  settings?: Record<string, string>;
}

type BoundStatement = readonly [sql: string, ...params: SqlValue[]];

/** SQL, or SQL with its parameters. */
export type Statement = string | BoundStatement;

/** The client gives up this much later than the server's own limit. */
const graceMs = 3000;

export class Session {
  readonly #client: Client;
  /**
   * The prepared statements by their SQL. Once there are `mostStatements`, others are parsed at
   * each use.
   */
  readonly #prepared = new Map<string, { text: string; name?: string }>();
  #names = 0;
  /** Whether the stream keeps what is sent in this turn, to send it together. */
  #isCorked = false;
  /** How many statements the server has not finished yet. */
  #unfinished = 0;
  /** The transaction state after the last statement: "I" if no transaction is open. */
  #status = "I";
  readonly #stallMs: number;
  #stall: NodeJS.Timeout | null = null;
  #outstanding = 0;
  #lost: Error | null = null;
  readonly #onLost = new Set<(error: Error) => void>();
  /** The id of the server process for this connection. */
  pid = 0;

  private constructor(client: Client, options: SessionOptions) {
    this.#client = client;
    this.#stallMs = options.limits.statement + graceMs;
    client.connection.on("readyForQuery", ({ status }: { status: string }) => {
      this.#unfinished--;
      this.#status = status;
    });
    client.on("error", (error) => this.#lose(error));
    client.on("end", () => this.#lose(new Error("the connection has ended")));
  }

  /**
   * Throws `ConnectionLost` with the reason as its cause. Refuses a replica, because the address
   * can lead to one after a failover.
   */
  static async open(address: PostgresAddress, options: SessionOptions): Promise<Session> {
    let session: Session | null = null;
    try {
      session = new Session(await connectTo(address, options.limits.connect), options);
      const { rows } = await session.execute(settingsOf(options));
      const { pid, isReplica } = rows[0];
      if (isReplica === 1) throw new Error("it is a read-only replica: connect to the primary");
      session.pid = pid;
      return session;
    } catch (error) {
      session?.destroy();
      throw error instanceof ConnectionLost ? error : new ConnectionLost(error);
    }
  }

  get isOpen(): boolean {
    return this.#lost === null;
  }

  /** Whether a transaction is open. Also true if this is not known yet. */
  get isInTransaction(): boolean {
    return this.isOpen && (this.#status !== "I" || this.#unfinished > 0);
  }

  /**
   * Calls `listener` once when the connection is lost or closed, or soon if it already is, but never
   * during this call. Returns a function that removes it.
   */
  onLost(listener: (error: Error) => void): () => void {
    this.#onLost.add(listener);
    const lost = this.#lost;
    if (lost) queueMicrotask(() => this.#reportLoss(lost));
    return () => this.#onLost.delete(listener);
  }

  onNotification(listener: (payload: string) => void): void {
    this.#client.on("notification", ({ payload }) => listener(payload ?? ""));
  }

  /**
   * Runs a statement with `?` for parameters. Statements run in the order of the calls, with one
   * exception: outside a transaction, a statement whose plan a migration has made stale runs again,
   * after those that were sent meanwhile. So wait for it before you begin a transaction.
   */
  query(sql: string, params: readonly SqlValue[] = []): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const fail = this.#expect(reject);
    if (fail === null) return promise;
    this.#cork();
    const values = params.map(toText);
    const done = (error: Error | null, result: QueryResult) => {
      if (error) {
        const isStale = isStalePlan(error);
        // The next use prepares the statement again, under another name.
        if (isStale) this.#prepared.delete(sql);
        // In a transaction, the earlier statements must run again, too.
        if (!isStale || this.#status !== "I") return fail(error);
        this.#end();
        return resolve(this.query(sql, params));
      }
      this.#end();
      resolve(result);
    };
    this.#unfinished++;
    void this.#client.query({ ...this.#statementOf(sql), values }, done as never);
    return promise;
  }

  /** Sends statements together. Rejects with the first error after all of them have ended. */
  async batch(statements: readonly Statement[]): Promise<Result[]> {
    const ended = await Promise.allSettled(
      statements.map((statement) =>
        typeof statement === "string"
          ? this.query(statement)
          : this.query(statement[0], statement.slice(1)),
      ),
    );
    return ended.map((each) => {
      if (each.status === "rejected") throw each.reason;
      return each.value;
    });
  }

  /** Runs one or more statements without parameters, and returns the result of the last one. */
  execute(sql: string): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const fail = this.#expect(reject);
    if (fail === null) return promise;
    const done = (error: Error | null, result: QueryResult | QueryResult[]) => {
      if (error) return fail(error);
      this.#end();
      resolve(Array.isArray(result) ? (result.at(-1) as Result) : result);
    };
    this.#unfinished++;
    void this.#client.query({ text: sql }, done as never);
    return promise;
  }

  /**
   * Runs `COPY … FROM STDIN` with what `chunks` yields, and returns the number of rows. The caller
   * must not send anything else meanwhile. Rejects with the error of `chunks` if it throws.
   */
  async copyIn(sql: string, chunks: AsyncIterable<Buffer>): Promise<number> {
    const { CopyIn } = await import("../writes/copy-in.ts");
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const fail = this.#expect(reject);
    if (fail === null) return promise;
    const done = (rows: number) => {
      this.#end();
      resolve(rows);
    };
    this.#unfinished++;
    this.#client.query(new CopyIn(sql, chunks, { resolve: done, reject: fail }));
    return promise;
  }

  /** Closes the connection without waiting for anything. */
  destroy(): void {
    this.#lose(new Error("the connection was closed"));
    this.#client.connection.stream.destroy();
  }

  /**
   * Closes the connection once all statements have ended, or after `graceMs` if the server does not
   * respond.
   */
  async end(): Promise<void> {
    if (!this.isOpen) return;
    const giveUp = setTimeout(() => this.destroy(), graceMs);
    await this.#client.end().catch(() => undefined);
    clearTimeout(giveUp);
  }

  /**
   * Returns the function to call if the statement fails; null if the connection is already lost.
   */
  #expect(reject: (error: Error) => void): ((error: Error) => void) | null {
    if (this.#lost) {
      reject(new ConnectionLost(this.#lost));
      return null;
    }
    this.#begin();
    return (error) => {
      this.#end();
      reject(this.#asFailure(error));
    };
  }

  /** Sends the statements of this turn together at its end. */
  #cork(): void {
    if (this.#isCorked) return;
    this.#isCorked = true;
    const { stream } = this.#client.connection;
    stream.cork();
    process.nextTick(() => {
      this.#isCorked = false;
      stream.uncork();
    });
  }

  #begin(): void {
    if (this.#outstanding++ > 0 || this.#stallMs === graceMs) return;
    // A connection can fail silently, so the client does not rely on the server's limits.
    if (this.#stall) this.#stall.refresh();
    else this.#stall = setTimeout(() => this.#checkStall(), this.#stallMs).unref();
  }

  #end(): void {
    this.#outstanding--;
    this.#stall?.refresh();
  }

  #checkStall(): void {
    this.#stall = null;
    if (this.#outstanding > 0) this.destroy();
  }

  #asFailure(error: Error): Error {
    if (isLoss(error)) this.destroy();
    return this.#lost ? new ConnectionLost(error) : error;
  }

  #lose(error: Error): void {
    if (this.#lost) return;
    this.#lost = error;
    if (this.#stall) clearTimeout(this.#stall);
    this.#reportLoss(error);
  }

  #reportLoss(error: Error): void {
    for (const listener of this.#onLost) {
      this.#onLost.delete(listener);
      listener(error);
    }
  }

  #statementOf(sql: string): { text: string; name?: string } {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = { text: numbered(sql) };
    if (this.#prepared.size >= mostStatements) return statement;
    const prepared = { ...statement, name: `p${this.#names++}` };
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** Quoted text and comments may contain a question mark that is not a parameter. */
const quotedOrPlaceholder = /'[^']*'|"[^"]*"|--[^\n]*|\/\*[\s\S]*?\*\/|\?/g;

/** Returns the statement with `$1`, `$2` … for `?`, as PostgreSQL wants it. */
export function numbered(sql: string): string {
  let count = 0;
  return sql.replace(quotedOrPlaceholder, (found) => (found === "?" ? `$${++count}` : found));
}

/** The settings are sent as a statement, because PgBouncer refuses them as startup parameters. */
function settingsOf({ limits, isReadOnly, isDurable, settings = {} }: SessionOptions): string {
  const all = {
    statement_timeout: String(limits.statement),
    lock_timeout: String(limits.lock),
    idle_in_transaction_session_timeout: String(limits.idleInTransaction),
    // These let the server notice that this machine has disappeared.
    tcp_keepalives_idle: "5",
    tcp_keepalives_interval: "2",
    tcp_keepalives_count: "3",
    tcp_user_timeout: "10000",
    default_transaction_read_only: isReadOnly ? "on" : "off",
    default_transaction_isolation: "'read committed'",
    // Compiling takes longer than any of these statements.
    jit: "off",
    ...settings,
  };
  const set = Object.entries(all).map(([name, value]) => `SET ${name} = ${value}`);
  const more = isDurable ? [waitForDisk] : [];
  const facts = `SELECT pg_backend_pid() AS "pid", pg_is_in_recovery() AS "isReplica"`;
  return [...set, ...more, facts].join("; ");
}

const waitForDisk = `SELECT set_config('synchronous_commit', 'on', false)
  WHERE current_setting('synchronous_commit') = 'off'`;
