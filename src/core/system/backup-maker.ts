// Copies the database for backups (backups.ts), one at a time, because each copy needs as much disk space as the
// database. A copy ends with its reader and with the service.

import type { FileHandle } from "node:fs/promises";
import type { Readable } from "node:stream";
import { AppError } from "../../domain/errors.ts";
import { backupSeconds } from "../../domain/limits.ts";
import type { CopyReport } from "../../domain/storage/backups.ts";
import type { Log } from "../../lib/log.ts";
import { CopyFolder, removeLeftCopies } from "../../store/files/copy-folder.ts";
import type { Caller } from "../caller.ts";
import { AwaitedWork, stopping } from "../memory/awaited-work.ts";

export interface BackupOptions {
  /** The folder of copies, on the disk of the database. */
  folder: string;
  /** Makes and checks the copy outside the event loop, until `signal`. */
  copy: (to: string, signal: AbortSignal) => Promise<CopyReport>;
  log: Log;
  /** The time limit for making a copy. */
  makingMs?: number;
  /** How long its reader can pause. */
  stalledMs?: number;
}

/** A checked, open copy. Its file is already unlinked, so it ends with its reader. */
export interface OpenCopy {
  report: CopyReport;
  /** The bytes; to be called once. */
  read(): Readable;
  /** To be called instead of `read`. */
  discard(): Promise<void>;
}

export class BackupMaker {
  readonly #options: Required<BackupOptions>;
  #turn: Turn | null = null;
  #closed = false;

  constructor(options: BackupOptions) {
    const { making, stalled } = backupSeconds;
    this.#options = { makingMs: making * 1000, stalledMs: stalled * 1000, ...options };
  }

  /** Throws RATE_LIMITED while there is another copy; UNAVAILABLE if the copy fails or its caller leaves. */
  async make(caller: Caller): Promise<OpenCopy> {
    const turn = this.#begin(caller);
    try {
      await this.removeLeftovers();
      const { report, file } = await makeCopy(this.#options, turn);
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

  /** Removes leftovers of a crash. A failure is logged; the next backup tries again. */
  async removeLeftovers(): Promise<void> {
    const { folder, log } = this.#options;
    try {
      await removeLeftCopies(folder);
    } catch (error) {
      log.warn({ err: error }, "the leftovers of an old backup could not be removed");
    }
  }

  /** Aborts the current copy and removes it. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#turn?.giveUp(stopping());
    await this.#turn?.ended;
  }

  #begin(caller: Caller): Turn {
    if (this.#closed) throw stopping();
    if (this.#turn) {
      throw new AppError("RATE_LIMITED", "Another backup is being made or read; one at a time.", {
        retryAfterSeconds: 10,
      });
    }
    const turn = new Turn(caller);
    this.#turn = turn;
    void turn.ended.then(() => {
      this.#turn = null;
    });
    return turn;
  }
}

/** One backup, from its request to its last byte. */
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

async function makeCopy(
  { folder, copy, makingMs }: Required<BackupOptions>,
  turn: Turn,
): Promise<{ report: CopyReport; file: FileHandle }> {
  const place = await CopyFolder.make(folder);
  const timer = setTimeout(() => turn.giveUp(tooLong(makingMs)), makingMs);
  try {
    const report = await copy(place.file, turn.signal);
    turn.signal.throwIfAborted();
    return { report, file: await place.open() };
  } finally {
    clearTimeout(timer);
    await place.remove();
  }
}

/** The turn ends when the file is closed: read to its end, aborted, or stalled. */
function readOnce(file: FileHandle, turn: Turn, stalledMs: number): Readable {
  const stream = file.createReadStream();
  let seen = 0;
  const watch = setInterval(() => {
    if (stream.bytesRead === seen) turn.giveUp(stalled(stalledMs));
    seen = stream.bytesRead;
  }, stalledMs);
  const giveUp = () => stream.destroy(turn.caller.gone ? undefined : turn.signal.reason);
  turn.signal.addEventListener("abort", giveUp);
  // The reader gets the error.
  stream.on("error", () => undefined);
  // After the last byte the next copy can start, even before the file is closed.
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
  return new AppError("UNAVAILABLE", `Nothing of the backup was read for ${ms / 1000} s.`);
}
