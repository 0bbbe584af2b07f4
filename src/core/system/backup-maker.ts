// Makes copies of the database and keeps them while they are read. One at a time, because each takes
// as much room on the disk as the database; and none outlives its reader or the service.
// The use case is in backups.ts.

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
  /** Where copies lie while they are made and read: on the database's own disk. */
  folder: string;
  /** Makes the copy and checks it, beside the event loop; ended by the signal. */
  copy: (to: string, signal: AbortSignal) => Promise<CopyReport>;
  log: Log;
  /** How long a copy may take to make. */
  makingMs?: number;
  /** How long its reader may take nothing of it. */
  stalledMs?: number;
}

/** A good copy, open. Its file has no name any more: it ends with its reader. */
export interface OpenCopy {
  report: CopyReport;
  /** The bytes, to be read once. */
  read(): Readable;
  /** In place of reading. */
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

  /**
   * Throws AppError RATE_LIMITED while there is another copy; UNAVAILABLE when the copy cannot be made,
   * is no good, takes too long, or nobody waits for it any more.
   */
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

  /** Removes what a crash has left; what cannot be removed is logged and tried again. */
  async removeLeftovers(): Promise<void> {
    const { folder, log } = this.#options;
    try {
      await removeLeftCopies(folder);
    } catch (error) {
      log.warn({ err: error }, "what is left of an old backup cannot be removed");
    }
  }

  /** Gives up the copy that is made or read; nothing of it is left. */
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

/** One backup, from the request to its last byte. */
class Turn extends AwaitedWork {
  readonly caller: Caller;
  readonly ended: Promise<void>;
  readonly #tellEnded: () => void;
  readonly #stopListening: () => void;

  constructor(caller: Caller) {
    super();
    this.caller = caller;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    this.#tellEnded = resolve;
    this.#stopListening = this.join(caller);
  }

  end(): void {
    this.#stopListening();
    this.#tellEnded();
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

/** The turn ends when the file is closed: read to its end, given up, or left lying. */
function readOnce(file: FileHandle, turn: Turn, stalledMs: number): Readable {
  const stream = file.createReadStream();
  let seen = 0;
  const watch = setInterval(() => {
    if (stream.bytesRead === seen) turn.giveUp(stalled(stalledMs));
    seen = stream.bytesRead;
  }, stalledMs);
  const giveUp = () => stream.destroy(turn.caller.gone ? undefined : turn.signal.reason);
  turn.signal.addEventListener("abort", giveUp);
  // Whoever reads is told of it there.
  stream.on("error", () => undefined);
  // Who has got the last byte may ask for the next copy at once: before the file is closed.
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
