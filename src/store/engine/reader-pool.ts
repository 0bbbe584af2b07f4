// Reads outside the event loop: sends statements to reader processes, so that no read by an
// operator delays the agents. (docs/decisions/0021-reader-processes.md)

import { availableParallelism } from "node:os";
import { AppError } from "../../domain/errors.ts";
import type {
  ReaderProcess,
  ReadResponse,
  StartReader,
  StatementRequest,
} from "../../domain/storage/reader-process.ts";
import type { BulkReader, ReadingCaller, ReadingPurpose, SqlValue } from "../database.ts";
import { reading } from "./storage-errors.ts";

export interface ReaderPoolLimits {
  processes: number;
  /**
   * How many reads run at once, not counting long ones. This leaves a processor for the agents'
   * calls.
   */
  together: number;
  /** A read that has run for this long is a long one, and others need not wait for it. */
  longMs: number;
  /**
   * The number of reads that can wait for a process, a quarter of them for one credential. Further
   * reads are refused.
   */
  waiting: number;
  /**
   * How long all reads of a question together, or each read of a stream, can take, including waits.
   */
  readMs: number;
  /** If its caller has left, a read is stopped after this time. */
  abandonedMs: number;
  /** How long an idle process is kept. */
  idleMs: number;
}

const defaultLimits: ReaderPoolLimits = {
  processes: 2,
  together: Math.max(1, availableParallelism() - 1),
  longMs: 500,
  waiting: 128,
  readMs: 10_000,
  abandonedMs: 200,
  idleMs: 60_000,
};

type Statement = Omit<StatementRequest, "id">;

/** A statement that is waiting or running, with all callers that asked for it. */
interface Read extends Statement {
  key: string;
  /** The credential of the first caller. Others that share the read are not counted. */
  credential: string | null;
  callers: Set<PromiseWithResolvers<unknown[]>>;
}

/** A process with the read that it is running. */
interface Worker {
  process: ReaderProcess;
  read: Read | null;
  isLong: boolean;
  /** Marks a read as long, or ends an idle process. */
  timer: NodeJS.Timeout | undefined;
}

export class ReaderPool {
  readonly #start: StartReader;
  readonly #file: string;
  readonly #limits: ReaderPoolLimits;
  readonly #workers = new Set<Worker>();
  /** The waiting reads by statement and parameters, in the order of arrival. */
  readonly #waiting = new Map<string, Read>();
  #sent = 0;

  constructor(start: StartReader, file: string, limits: Partial<ReaderPoolLimits> = {}) {
    this.#start = start;
    this.#file = file;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Returns a reader for one caller. Its reads stop when the caller leaves. */
  readerFor(caller: ReadingCaller, purpose: ReadingPurpose = "question"): BulkReader {
    const { readMs } = this.#limits;
    const endsAt = performance.now() + readMs;
    const timeLeft = () => (purpose === "stream" ? readMs : endsAt - performance.now());
    const read = (form: Statement["form"], sql: string, params: SqlValue[]) =>
      this.#run({ sql, params, form }, caller, timeLeft());
    return {
      get: async <Row>(sql: string, ...params: SqlValue[]) =>
        (await read("first", sql, params))[0] as Row | undefined,
      all: async <Row>(sql: string, ...params: SqlValue[]) =>
        (await read("all", sql, params)) as Row[],
      text: async (kind, sql, ...params) => (await read(kind, sql, params))[0] as string,
    };
  }

  /** Ends the processes. Their reads fail. */
  close(): void {
    for (const read of this.#waiting.values()) rejectAll(read, stopped());
    this.#waiting.clear();
    for (const worker of this.#workers) this.#end(worker, stopped());
  }

  async #run(statement: Statement, caller: ReadingCaller, timeLeftMs: number): Promise<unknown[]> {
    if (caller.gone) throw stopped();
    const read = this.#add(statement, caller);
    const result = Promise.withResolvers<unknown[]>();
    read.callers.add(result);
    const timer = setTimeout(() => {
      result.reject(tooLong(this.#limits.readMs));
      if (this.#leave(read, result)) this.#stop(read);
    }, timeLeftMs);
    const stopListening = caller.onGone(() => {
      result.reject(stopped());
      if (!this.#leave(read, result)) return;
      setTimeout(() => this.#stop(read), this.#limits.abandonedMs).unref();
    });
    this.#assign();
    try {
      return await result.promise;
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  /** If the same read is already waiting, returns it, because it will also see the newest data. */
  #add(statement: Statement, { credential = null }: ReadingCaller): Read {
    const { sql, params, form } = statement;
    const key = JSON.stringify([sql, form, ...params]);
    const same = this.#waiting.get(key);
    if (same) return same;
    if (this.#isFull(credential)) throw tooMany();
    const callers = new Set<PromiseWithResolvers<unknown[]>>();
    const read = { ...statement, key, credential, callers };
    this.#waiting.set(key, read);
    return read;
  }

  #isFull(credential: string | null): boolean {
    const { waiting } = this.#limits;
    if (this.#waiting.size >= waiting) return true;
    if (credential === null) return false;
    const own = [...this.#waiting.values()].filter((read) => read.credential === credential);
    return own.length >= waiting / 4;
  }

  /**
   * Removes a caller. If no other caller needs the read, returns true, and the read no longer
   * waits.
   */
  #leave(read: Read, caller: PromiseWithResolvers<unknown[]>): boolean {
    read.callers.delete(caller);
    if (read.callers.size > 0) return false;
    if (this.#waiting.get(read.key) === read) this.#waiting.delete(read.key);
    return true;
  }

  /** Gives the waiting reads to idle processes, and starts processes up to the limit. */
  #assign(): void {
    for (const read of this.#waiting.values()) {
      const worker = this.#isFree() ? this.#idleWorker() : null;
      if (!worker) return;
      this.#waiting.delete(read.key);
      clearTimeout(worker.timer);
      worker.read = read;
      worker.isLong = false;
      worker.timer = setTimeout(() => {
        worker.isLong = true;
        this.#assign();
      }, this.#limits.longMs).unref();
      const { sql, params, form } = read;
      worker.process.send({ id: ++this.#sent, sql, params, form });
    }
  }

  #isFree(): boolean {
    let running = 0;
    for (const { read, isLong } of this.#workers) if (read && !isLong) running++;
    return running < this.#limits.together;
  }

  #idleWorker(): Worker | null {
    for (const worker of this.#workers) if (!worker.read) return worker;
    if (this.#workers.size >= this.#limits.processes) return null;
    const events = {
      onResponse: (response: ReadResponse) => this.#finish(worker, response),
      onEnd: (reason: Error) => this.#end(worker, ended(reason)),
    };
    const process = this.#start(this.#file, events);
    const worker: Worker = { process, read: null, isLong: false, timer: undefined };
    this.#workers.add(worker);
    return worker;
  }

  #finish(worker: Worker, response: ReadResponse): void {
    const { read } = worker;
    worker.read = null;
    if (!this.#workers.has(worker) || !read) return;
    if ("rows" in response) for (const { resolve } of read.callers) resolve(response.rows);
    else rejectAll(read, asIfHere(response.failure));
    clearTimeout(worker.timer);
    worker.timer = setTimeout(() => this.#end(worker, stopped()), this.#limits.idleMs).unref();
    this.#assign();
  }

  /**
   * Stops a read that is running. SQLite cannot be interrupted, so this ends the process that runs
   * it.
   */
  #stop(read: Read): void {
    for (const worker of this.#workers) if (worker.read === read) this.#end(worker, stopped());
  }

  #end(worker: Worker, error: AppError): void {
    if (!this.#workers.delete(worker)) return;
    clearTimeout(worker.timer);
    worker.process.kill();
    if (worker.read) rejectAll(worker.read, error);
    this.#assign();
  }
}

function rejectAll({ callers }: Read, error: unknown): void {
  for (const { reject } of callers) reject(error);
}

/** Returns what the same read would throw in this process. */
function asIfHere({ message, code }: { message: string; code: string | null }): unknown {
  try {
    return reading(() => {
      throw Object.assign(new Error(message), code === null ? {} : { code });
    });
  } catch (error) {
    return error;
  }
}

function tooMany(): AppError {
  const message = "Too many reads of the database are waiting.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 1 });
}

function tooLong(readMs: number): AppError {
  const message =
    `This read took longer than ${readMs / 1000} s and was stopped. The database is busy or does not ` +
    "respond: try again, or use a filter that matches fewer rows.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 5 });
}

function ended(cause: Error): AppError {
  const message = "A process that reads the database has ended. Try again.";
  return new AppError("UNAVAILABLE", message, { cause, retryAfterSeconds: 1 });
}

function stopped(): AppError {
  return new AppError("UNAVAILABLE", "The read was stopped.");
}
