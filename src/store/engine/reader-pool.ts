// Reads outside the event loop: sends statements to reader processes, so that no read by an
// operator delays the agents. (docs/decisions/0021-reader-processes.md)

import { AppError } from "../../domain/errors.ts";
import type {
  ReaderProcess,
  ReadResponse,
  StartReader,
} from "../../domain/storage/reader-process.ts";
import type { Reader, ReadingCaller, SqlValue } from "../database.ts";
import { reading } from "./storage-errors.ts";

export interface ReaderPoolLimits {
  processes: number;
  /** The number of reads that can wait for a process. Further reads are refused. */
  waiting: number;
  /** How long a read can take, including its wait. */
  readMs: number;
  /** If its caller has left, a read is stopped after this time. */
  abandonedMs: number;
  /** How long an idle process is kept. */
  idleMs: number;
}

const defaultLimits: ReaderPoolLimits = {
  processes: 2,
  waiting: 128,
  readMs: 10_000,
  abandonedMs: 200,
  idleMs: 60_000,
};

interface Read {
  sql: string;
  params: SqlValue[];
  first: boolean;
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/** A process with the read that it is running. */
interface Worker {
  process: ReaderProcess;
  read: Read | null;
  idle: NodeJS.Timeout | null;
}

export class ReaderPool {
  readonly #start: StartReader;
  readonly #file: string;
  readonly #limits: ReaderPoolLimits;
  readonly #workers = new Set<Worker>();
  readonly #waiting = new Set<Read>();
  #sent = 0;

  constructor(start: StartReader, file: string, limits: Partial<ReaderPoolLimits> = {}) {
    this.#start = start;
    this.#file = file;
    this.#limits = { ...defaultLimits, ...limits };
  }

  /** Reads for one caller, and stops when the caller leaves. */
  readerFor(caller: ReadingCaller): Reader {
    return {
      get: async <Row>(sql: string, ...params: SqlValue[]) => {
        const [row] = await this.#run({ sql, params, first: true }, caller);
        return row as Row | undefined;
      },
      all: async <Row>(sql: string, ...params: SqlValue[]) =>
        (await this.#run({ sql, params, first: false }, caller)) as Row[],
    };
  }

  /** Ends the processes. Their reads fail. */
  close(): void {
    for (const read of this.#waiting) read.reject(stopped());
    this.#waiting.clear();
    for (const worker of this.#workers) this.#end(worker, stopped());
  }

  async #run(
    statement: Pick<Read, "sql" | "params" | "first">,
    caller: ReadingCaller,
  ): Promise<unknown[]> {
    if (caller.gone) throw stopped();
    if (this.#waiting.size >= this.#limits.waiting) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<unknown[]>();
    const read: Read = { ...statement, resolve, reject };
    const { readMs, abandonedMs } = this.#limits;
    let timer = setTimeout(() => this.#stop(read, tooLong(readMs)), readMs);
    const stopListening = caller.onGone(() => {
      clearTimeout(timer);
      const left = this.#waiting.has(read) ? 0 : abandonedMs;
      timer = setTimeout(() => this.#stop(read, stopped()), left);
    });
    this.#waiting.add(read);
    this.#assign();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      stopListening();
    }
  }

  /** Gives the waiting reads to idle processes, and starts processes up to the limit. */
  #assign(): void {
    for (const read of this.#waiting) {
      const worker = this.#idleWorker();
      if (!worker) return;
      this.#waiting.delete(read);
      if (worker.idle) clearTimeout(worker.idle);
      worker.read = read;
      const { sql, params, first } = read;
      worker.process.send({ id: ++this.#sent, sql, params, first });
    }
  }

  #idleWorker(): Worker | null {
    for (const worker of this.#workers) if (!worker.read) return worker;
    if (this.#workers.size >= this.#limits.processes) return null;
    const events = {
      onResponse: (response: ReadResponse) => this.#finish(worker, response),
      onEnd: (reason: Error) => this.#end(worker, ended(reason)),
    };
    const worker: Worker = { process: this.#start(this.#file, events), read: null, idle: null };
    this.#workers.add(worker);
    return worker;
  }

  #finish(worker: Worker, response: ReadResponse): void {
    const { read } = worker;
    worker.read = null;
    if (!this.#workers.has(worker) || !read) return;
    if ("rows" in response) read.resolve(response.rows);
    else rejectAsIfHere(read, response.failure);
    worker.idle = setTimeout(() => this.#end(worker, stopped()), this.#limits.idleMs);
    worker.idle.unref();
    this.#assign();
  }

  /** Stops a read that is waiting or running. SQLite cannot be interrupted, so its process ends. */
  #stop(read: Read, error: AppError): void {
    if (this.#waiting.delete(read)) read.reject(error);
    for (const worker of this.#workers) if (worker.read === read) this.#end(worker, error);
  }

  #end(worker: Worker, error: AppError): void {
    if (!this.#workers.delete(worker)) return;
    if (worker.idle) clearTimeout(worker.idle);
    worker.process.kill();
    worker.read?.reject(error);
    this.#assign();
  }
}

/** Rejects with what the same read would throw in this process. */
function rejectAsIfHere(read: Read, { message, code }: { message: string; code: string | null }) {
  try {
    reading(() => {
      throw Object.assign(new Error(message), code === null ? {} : { code });
    });
  } catch (error) {
    read.reject(error);
  }
}

function tooMany(): AppError {
  const message = "Too many reads of the database are waiting.";
  return new AppError("UNAVAILABLE", message, { retryAfterSeconds: 1 });
}

function tooLong(readMs: number): AppError {
  return new AppError(
    "UNAVAILABLE",
    `This read took longer than ${readMs / 1000} s and was stopped. Use a filter that matches less.`,
  );
}

function ended(cause: Error): AppError {
  const message = "A process that reads the database has ended. Try again.";
  return new AppError("UNAVAILABLE", message, { cause, retryAfterSeconds: 1 });
}

function stopped(): AppError {
  return new AppError("UNAVAILABLE", "The read was stopped.");
}
