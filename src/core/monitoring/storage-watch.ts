// Tracks whether the storage accepts writes, and logs failures and recoveries.

import {
  describeStorageProblem,
  type StorageReason,
  storageFailureOf,
} from "../../domain/storage/failures.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";

/** Writes at least this often, so that the state is known even if nothing else is written. */
const writeEveryMs = 60_000;
/** While a failure is likely, writes after this time without a commit. */
const writeWhenDoubtfulMs = 2_000;
const sumEveryMs = 60_000;
/** After this time without a failure, the storage counts as recovered. */
const calmMs = 5_000;

const heldLogAdvice =
  "another process reads an old state of the database (for example a backup or a sqlite3 shell), or " +
  "the disk or the process that moves the log (read-database) is stuck. Until this ends, the log grows " +
  "with each write and cannot be moved into the database file";
/** If a write waits and none has succeeded for this long, writes count as failing. */
const stuckMs = 10_000;
const stuck = {
  message:
    "No write has succeeded for 10 s: the database does not respond, or another program holds a lock.",
};

interface StorageWatchOptions {
  log: Log;
  monotonic: () => number;
}

interface Outage {
  reasons: Set<StorageReason>;
  /** In monotonic milliseconds, like all times here. */
  from: number;
  lastAt: number;
  summedAt: number;
  /** The number of failures that have no log line of their own. */
  unlogged: number;
}

export class StorageWatch {
  readonly #db: Database;
  #commits = 0;
  #committedAt = -Infinity;
  #wroteAt = -Infinity;
  #outage: Outage | null = null;
  #isLogHeld = false;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Returns why writes fail, or null if they work as far as is known. */
  problem(): { reason?: StorageReason; message: string } | null {
    const { failure, stoppedSince } = this.#db.storage();
    if (failure) return { reason: failure.reason, message: describeStorageProblem(failure.reason) };
    return stoppedSince !== null && this.#db.now() - stoppedSince >= stuckMs ? stuck : null;
  }

  /** Returns a warning for operators while writes still work, or null. */
  warning(): string | null {
    const held = this.#db.storage().heldLog;
    return (
      held && `The write-ahead log has grown to ${megabytes(held.sizeBytes)} MB: ${heldLogAdvice}.`
    );
  }

  /**
   * Logs the error and returns true if the storage caused it. Returns false for any other error,
   * which the caller must log.
   */
  recordFailure(core: StorageWatchOptions, error: unknown): boolean {
    const failure = storageFailureOf(error);
    if (failure === null) return false;
    const { access, reason, cause } = failure;
    const now = core.monotonic();
    this.#outage ??= { reasons: new Set(), from: now, lastAt: now, summedAt: now, unlogged: 0 };
    this.#outage.lastAt = now;
    if (this.#outage.reasons.has(reason)) {
      this.#outage.unlogged++;
      return true;
    }
    this.#outage.reasons.add(reason);
    const fields = { access, reason, ...(cause ? { err: cause } : {}) };
    core.log.error(fields, `the storage is failing: ${failure.message}`);
    return true;
  }

  /** Must be called every second. Calls `write` when a write is due, and logs the state. */
  async look(core: StorageWatchOptions, write: () => Promise<unknown>): Promise<void> {
    await this.#writeWhenDue(core, write);
    this.#report(core);
    this.#reportLog(core);
  }

  /** Logs once when the write-ahead log begins to grow, and once when it is moved. */
  #reportLog(core: StorageWatchOptions): void {
    const { heldLog } = this.#db.storage();
    if ((heldLog !== null) === this.#isLogHeld) return;
    this.#isLogHeld = heldLog !== null;
    if (heldLog === null) core.log.info({}, "the write-ahead log was moved into the database file");
    else
      core.log.warn({ walBytes: heldLog.sizeBytes }, `the write-ahead log grows: ${heldLogAdvice}`);
  }

  async #writeWhenDue(core: StorageWatchOptions, write: () => Promise<unknown>): Promise<void> {
    const { failure, commits } = this.#db.storage();
    const now = core.monotonic();
    if (commits !== this.#commits) {
      this.#commits = commits;
      this.#committedAt = now;
    }
    const isDue =
      failure !== null ||
      now - this.#wroteAt >= writeEveryMs ||
      (now - this.#committedAt >= writeWhenDoubtfulMs && this.#db.isStorageDoubtful());
    if (!isDue) return;
    try {
      await write();
      this.#wroteAt = now;
    } catch (error) {
      if (!this.recordFailure(core, error)) throw error;
    }
  }

  #report(core: StorageWatchOptions): void {
    const outage = this.#outage;
    if (outage === null) return;
    const now = core.monotonic();
    const facts = {
      reasons: [...outage.reasons],
      failures: outage.unlogged,
      forSeconds: Math.round((now - outage.from) / 1000),
    };
    if (this.#db.storage().failure === null && now - outage.lastAt >= calmMs) {
      this.#outage = null;
      core.log.info(facts, "the storage works again");
    } else if (now - outage.summedAt >= sumEveryMs) {
      outage.summedAt = now;
      outage.unlogged = 0;
      core.log.error(facts, "the storage is still failing");
    }
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6);
}
