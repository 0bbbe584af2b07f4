// Copies the database for backups. Only one copy exists at a time, because each needs as much disk
// space as the database.

import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { AppError } from "../../domain/errors.ts";
import { backupSeconds } from "../../domain/limits.ts";
import type { CopyReport } from "../../domain/storage/backups.ts";
import type { Log } from "../../lib/log.ts";
import { CopyFolder, removeLeftCopies } from "../../store/files/copy-folder.ts";
import { AwaitedWork, stopping } from "../awaited-work.ts";
import type { Caller } from "../caller.ts";

export interface BackupOptions {
  /** The folder for copies, on the same disk as the database. */
  folder: string;
  /** Makes and checks the copy outside the event loop, until `signal` aborts. */
  copy: (to: string, signal: AbortSignal) => Promise<CopyReport>;
  log: Log;
  /** Returns how many milliseconds the copy may take. */
  makingMs?: (databaseBytes: number) => number;
  /** How many milliseconds the reader may pause. */
  stalledMs?: number;
}

/** A checked copy whose file is already unlinked: closing it frees the disk space. */
interface OpenCopy {
  report: CopyReport;
  /** Must be called at most once. */
  read(): Readable;
  /** Must be called if `read` is not called. */
  discard(): Promise<void>;
}

export interface Backups {
  /**
   * Throws RATE_LIMITED while another copy exists, UNAVAILABLE if the copy fails, and NOT_SUPPORTED
   * if other programs make the backups of this database.
   */
  make(caller: Caller, databaseBytes: number): Promise<OpenCopy>;
  /** Removes what a crash has left. If that fails, the next backup tries again. */
  removeLeftovers(): Promise<void>;
  close(): Promise<void>;
}

/** For PostgreSQL, which has its own program for backups. */
export class ForeignBackups implements Backups {
  readonly #refusal: () => AppError;

  constructor(refusal: () => AppError) {
    this.#refusal = refusal;
  }

  async make(): Promise<never> {
    throw this.#refusal();
  }

  async removeLeftovers(): Promise<void> {}

  async close(): Promise<void> {}
}

export class BackupMaker implements Backups {
  readonly #options: Required<BackupOptions>;
  #turn: Turn | null = null;
  #closed = false;

  constructor(options: BackupOptions) {
    this.#options = {
      makingMs: backupTimeoutMs,
      stalledMs: backupSeconds.stalled * 1000,
      ...options,
    };
  }

  async make(caller: Caller, databaseBytes: number): Promise<OpenCopy> {
    const turn = this.#begin(caller);
    try {
      await this.removeLeftovers();
      const { report, file } = await makeCopy(this.#options, turn, databaseBytes);
      return {
        report,
        read: () => readOnce(file, turn, this.#options.stalledMs),
        async discard() {
          await file.close();
          turn.end();
        },
      };
    } catch (error) {
      turn.end();
      throw error;
    }
  }

  async removeLeftovers(): Promise<void> {
    const { folder, log } = this.#options;
    await removeOrWarn(log, removeLeftCopies(folder));
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#turn?.giveUp(stopping());
    await this.#turn?.ended;
  }

  #begin(caller: Caller): Turn {
    if (this.#closed) throw stopping();
    if (this.#turn) {
      const message = "Another backup is in progress: try again when it has ended.";
      throw new AppError("RATE_LIMITED", message, { retryAfterSeconds: 10 });
    }
    const turn = new Turn(caller);
    this.#turn = turn;
    void turn.ended.then(() => {
      this.#turn = null;
    });
    return turn;
  }
}

class Turn extends AwaitedWork {
  readonly caller: Caller;
  readonly #end = Promise.withResolvers<void>();
  readonly ended = this.#end.promise;
  readonly #stopListening: () => void;

  constructor(caller: Caller) {
    super();
    this.caller = caller;
    this.#stopListening = this.join(caller);
  }

  end(): void {
    this.#stopListening();
    this.#end.resolve();
  }
}

/** Ten times the usual time, because the disk may be busy. */
export function backupTimeoutMs(databaseBytes: number): number {
  const { making, perGigabyte } = backupSeconds;
  return Math.round(Math.max(making, (perGigabyte * databaseBytes) / 1e9)) * 1000;
}

async function makeCopy(options: Required<BackupOptions>, turn: Turn, databaseBytes: number) {
  const { folder, copy, log } = options;
  const place = await CopyFolder.make(folder);
  const makingMs = options.makingMs(databaseBytes);
  const timer = setTimeout(() => turn.giveUp(tooLong(makingMs)), makingMs);
  try {
    const report = await copy(place.file, turn.signal);
    turn.signal.throwIfAborted();
    return { report, file: await place.open() };
  } finally {
    clearTimeout(timer);
    await removeOrWarn(log, place.remove());
  }
}

/** Logs a failed removal: the backup itself has succeeded, or has another error to report. */
async function removeOrWarn(log: Log, removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    log.warn(
      { err: error },
      "the copy of a backup could not be removed; the next backup tries again",
    );
  }
}

/** The turn ends when the copy was read to the end, was aborted, or stalled. */
function readOnce(file: FileHandle, turn: Turn, stalledMs: number): Readable {
  const stream = file.createReadStream();
  let seen = 0;
  const watch = setInterval(() => {
    if (stream.bytesRead === seen) turn.giveUp(stalled(stalledMs));
    seen = stream.bytesRead;
  }, stalledMs);
  const giveUp = () => stream.destroy(turn.caller.gone ? undefined : turn.signal.reason);
  turn.signal.addEventListener("abort", giveUp);
  // The reader receives the error.
  stream.on("error", () => undefined);
  // After the last byte the next copy may start, even before the file is closed.
  stream.once("end", () => turn.end());
  stream.once("close", () => {
    clearInterval(watch);
    turn.end();
  });
  if (turn.signal.aborted) giveUp();
  return stream;
}

function tooLong(makingMs: number): AppError {
  const message = `The backup was not made within ${makingMs / 1000} s.`;
  return new AppError("UNAVAILABLE", message, { cause: new Error("the copy took too long") });
}

function stalled(ms: number): AppError {
  return new AppError("UNAVAILABLE", `The backup was not read for ${ms / 1000} s.`);
}
