// Moves the write-ahead log into the database file from another process, because a checkpoint
// writes megabytes and waits for the disk twice. (docs/decisions/0021-reader-processes.md)

import { setTimeout as pause } from "node:timers/promises";
import type {
  CheckpointRequest,
  ReaderProcess,
  ReadResponse,
  StartReader,
} from "../../../domain/storage/reader-process.ts";
import type { StorageState } from "../../database.ts";
import type { SqliteConnection } from "./file.ts";
import type { Statement } from "./statements.ts";
import type { WalFile } from "./wal-file.ts";

/** A checkpoint is due when the log has this length. */
const duePages = 4_000;
/** The same for a disk that is almost full, because a longer log could fill it. */
const duePagesIfFull = 500;
/**
 * If no other process can move the log, SQLite moves it in this process when it has this length.
 * This blocks the event loop.
 */
const latestPages = 16_000;
/** Writes wait for a checkpoint only if no more than this remains to be moved. */
const restPages = 500;
/** The log file is grown to this size in advance, and further while a reader keeps the log long. */
const reservedPages = 6_000;
/** The log file grows in steps of this size. Each step takes less than a millisecond. */
const stepBytes = 1024 * 1024;
const betweenStepsMs = 5;
/** After this many checkpoints, writes wait for the rest even if it is longer than `restPages`. */
const mostRounds = 8;
/** A log that becomes longer than this, whatever the reason, is reported (256 MiB). */
const longPages = 65_536;
/**
 * The pause between two runs. Otherwise, runs would follow each other while a reader of an old
 * snapshot prevents checkpoints.
 */
const betweenMs = 1_000;
/** Writes wait for a checkpoint no longer than this. */
const maxHoldMs = 1_000;
/** A process whose checkpoint takes longer is stopped. What it has copied so far is kept. */
const maxMs = 60_000;
/** How long an idle process is kept. */
const idleMs = 60_000;

const frameHeaderBytes = 24;

interface CheckpointerOptions {
  start: StartReader;
  writer: SqliteConnection;
  now: () => number; // Unix milliseconds
  log: WalFile;
  /** A log file that is larger is truncated. */
  limitBytes: number;
  /** Whether there is enough disk space for a larger log file. */
  hasRoom: () => boolean;
  /** Lets no write begin until `work` ends. */
  betweenGroups: (work: () => Promise<void>) => Promise<void>;
}

export class Checkpointer {
  readonly #options: CheckpointerOptions;
  readonly #length: Statement;
  readonly #frameBytes: number;
  #process: ReaderProcess | null = null;
  #running: Promise<void> | null = null;
  #requests = 0;
  #onDone: (isDone: boolean) => void = () => undefined;
  #idle: NodeJS.Timeout | undefined;
  #isDoneHere = false;
  #isClosed = false;
  #longSince: number | null = null;

  constructor(options: CheckpointerOptions) {
    const { writer } = options;
    this.#options = options;
    // Otherwise, the first commit after a long read would move gigabytes in the event loop.
    writer.pragma("wal_autocheckpoint = 0");
    this.#length = writer.prepare("PRAGMA wal_checkpoint(NOOP)").raw();
    this.#frameBytes = Number(writer.pragma("page_size", { simple: true })) + frameHeaderBytes;
  }

  /**
   * Not null while the log is long, because a reader or a slow process keeps it from being moved.
   */
  get held(): StorageState["heldLog"] {
    if (this.#longSince === null) return null;
    return { sizeBytes: this.#options.log.sizeBytes(), since: this.#longSince };
  }

  /** Must be called after each commit. */
  noteCommit(): void {
    const { all } = this.#pages();
    // This is noted here, because the process that moves the log may hang.
    if (all >= longPages) this.#longSince ??= this.#options.now();
    if (this.#running === null && this.#isDue(all)) void this.run();
  }

  #isDue(pages: number): boolean {
    return pages >= duePages || (pages >= duePagesIfFull && !this.#options.hasRoom());
  }

  /**
   * Moves the log, and truncates its file if it is too large. If a run has already begun, waits for
   * that one.
   */
  run(): Promise<void> {
    this.#running ??= this.#runOnce();
    return this.#running;
  }

  /**
   * Fills the log file with zeros, up to the size that the log usually reaches. Flushing a file
   * that grows takes several times as long, because the file system must also record the new blocks
   * of the file.
   */
  async reserve(pages = reservedPages): Promise<void> {
    const { log, betweenGroups, hasRoom } = this.#options;
    const wantedBytes = pages * this.#frameBytes;
    while (!this.#isClosed && log.sizeBytes() < wantedBytes && hasRoom()) {
      let hasGrown = false;
      await betweenGroups(async () => {
        hasGrown = !this.#isClosed && this.#growLog();
      });
      if (!hasGrown) return;
      await pause(betweenStepsMs);
    }
  }

  /** The lock keeps other processes from writing to the end of the log meanwhile. */
  #growLog(): boolean {
    const { writer, log } = this.#options;
    try {
      writer.exec("BEGIN IMMEDIATE");
      log.grow(stepBytes);
      return true;
    } catch {
      return false; // The log also works without this. The next write shows whether the disk works.
    } finally {
      if (writer.inTransaction) writer.exec("ROLLBACK");
    }
  }

  /** Ends the process. This is safe even in the middle of a checkpoint. */
  close(): void {
    this.#isClosed = true;
    this.#endProcess();
    this.#onDone(false);
  }

  /**
   * SQLite starts the log again from its beginning only after all of it has been moved. So the last
   * checkpoint, which moves what was written during the others, runs while no write does.
   */
  async #runOnce(): Promise<void> {
    clearTimeout(this.#idle);
    const { log, limitBytes, betweenGroups } = this.#options;
    const outcome = await this.#moveMost();
    if (outcome === "moved") {
      const kind = log.sizeBytes() > limitBytes ? "TRUNCATE" : "PASSIVE";
      await betweenGroups(async () => {
        await Promise.race([this.#checkpoint(kind), pause(maxHoldMs)]);
      });
    }
    if (this.#isClosed) return;
    if (outcome === "held") await this.reserve(this.#pages().all + reservedPages);
    // The next commit notes it again if the log is still long.
    if (outcome === "moved") this.#longSince = null;
    this.#doHere(outcome === "failed");
    this.#idle = setTimeout(() => this.#endProcess(), idleMs).unref();
    void pause(betweenMs, undefined, { ref: false }).then(() => {
      this.#running = null;
    });
  }

  /**
   * Moves all but a small remainder of the log. The remainder is moved later, while no write runs.
   * Returns "held" if a reader needs the log.
   */
  async #moveMost(): Promise<"moved" | "held" | "failed"> {
    for (let round = 0; round < mostRounds; round++) {
      const before = this.#pages();
      if (!(await this.#checkpoint("PASSIVE"))) return "failed";
      const { rest, moved } = this.#pages();
      if (rest <= restPages) break;
      if (moved === before.moved) return "held";
    }
    return "moved";
  }

  /** Lets SQLite move the log in this process while `isNeeded`. */
  #doHere(isNeeded: boolean): void {
    if (this.#isDoneHere === isNeeded) return;
    this.#isDoneHere = isNeeded;
    this.#options.writer.pragma(`wal_autocheckpoint = ${isNeeded ? latestPages : 0}`);
  }

  #pages() {
    const [, all, moved] = this.#length.get() as [busy: number, all: number, moved: number];
    return { all, moved, rest: all - moved };
  }

  /**
   * Resolves to false if the process ends before the checkpoint, takes too long, or cannot be
   * started.
   */
  #checkpoint(kind: CheckpointRequest["checkpoint"]): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    // An earlier checkpoint for which writes stopped waiting may still run.
    this.#onDone(false);
    this.#onDone = resolve;
    const process = this.#process ?? this.#begin();
    this.#process = process;
    const timer = setTimeout(() => process.kill(), maxMs).unref();
    process.send({ id: ++this.#requests, checkpoint: kind });
    return promise.finally(() => clearTimeout(timer));
  }

  #endProcess(): void {
    clearTimeout(this.#idle);
    this.#process?.kill();
    this.#process = null;
  }

  #begin(): ReaderProcess {
    const { start, writer } = this.#options;
    const events = {
      onResponse: ({ id }: ReadResponse) => {
        if (id === this.#requests) this.#onDone(true);
      },
      onEnd: () => {
        if (this.#process === started) this.#process = null;
        this.#onDone(false);
      },
    };
    const started = start(writer.name, events, "prompt");
    return started;
  }
}
