// Moves the write-ahead log into the database file from another process, because a checkpoint
// writes megabytes and waits for the disk twice. (docs/decisions/0021-reader-processes.md)

import { setTimeout as pause } from "node:timers/promises";
import type { ReaderProcess, StartReader } from "../../domain/storage/reader-process.ts";
import type { Connection } from "./sqlite-file.ts";
import type { Statement } from "./statements.ts";

/** The log's length from which a checkpoint is due. */
const duePages = 4_000;
/** If no process does it, SQLite does it at this length itself, which blocks the event loop. */
const latestPages = 16_000;
/** A reader of an old snapshot can prevent a checkpoint, so the next one begins this much later. */
const betweenMs = 1_000;
/** Writes wait for a checkpoint no longer than this. */
const maxHoldMs = 1_000;
/** How long an idle process is kept. */
const idleMs = 60_000;

export interface CheckpointerOptions {
  start: StartReader;
  writer: Connection;
  /** Lets no write begin until `work` ends. */
  hold: (work: () => Promise<void>) => Promise<void>;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #length: Statement;
  #process: ReaderProcess | null = null;
  #isRunning = false;
  #requests = 0;
  #onDone: () => void = () => undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: CheckpointerOptions) {
    const { writer } = options;
    this.#options = options;
    writer.pragma(`wal_autocheckpoint = ${latestPages}`);
    this.#length = writer.prepare("PRAGMA wal_checkpoint(NOOP)").raw();
  }

  /** Must be called after each commit. */
  noteCommit(): void {
    if (this.#isRunning) return;
    const [, pages] = this.#length.get() as [busy: number, pages: number, moved: number];
    if (pages >= duePages) void this.#run();
  }

  /** Ends the process, also in the middle of a checkpoint, which is safe. */
  close(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = null;
  }

  /**
   * SQLite begins the log anew when all of it has been moved. So the second checkpoint, for what was
   * written during the first, runs while no write does.
   */
  async #run(): Promise<void> {
    this.#isRunning = true;
    clearTimeout(this.#idle);
    await this.#checkpoint();
    await this.#options.hold(() => Promise.race([this.#checkpoint(), pause(maxHoldMs)]));
    await pause(betweenMs, undefined, { ref: false });
    this.#isRunning = false;
    this.#idle = setTimeout(() => this.close(), idleMs).unref();
  }

  /** Also resolves if the process ends before the checkpoint. */
  #checkpoint(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onDone = resolve;
    this.#process ??= this.#begin();
    this.#process.send({ id: ++this.#requests, checkpoint: true });
    return promise;
  }

  #begin(): ReaderProcess {
    const { start, writer } = this.#options;
    const started = start(writer.name, {
      onResponse: ({ id }) => {
        if (id === this.#requests) this.#onDone();
      },
      onEnd: () => {
        if (this.#process === started) this.#process = null;
        this.#onDone();
      },
    });
    return started;
  }
}
