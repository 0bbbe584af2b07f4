// Knows whether the storage can be written to, finds out by writing when that is in doubt, and says in
// the log what is wrong: once in full, then how often in each minute, then that it is over.

import {
  describeStorageProblem,
  type StorageReason,
  storageFailureOf,
} from "../../domain/storage/failures.ts";
import type { Log } from "../../lib/log.ts";
import type { Database } from "../../store/database.ts";

/** Something is written at least this often, so that a storage nobody writes to is known as well. */
const writeEveryMs = 60_000;
/** And this often while there is reason to think that a write would fail. */
const writeWhenDoubtfulMs = 2_000;
const sumEveryMs = 60_000;
/** Without a failure for so long, it is over. */
const calmMs = 5_000;

/** Of the Core. */
interface Surroundings {
  log: Log;
  monotonic: () => number;
}

/** Failures that the log knows of. */
interface Told {
  reasons: Set<StorageReason>;
  /** On the monotonic clock, as all times here. */
  from: number;
  lastAt: number;
  summedAt: number;
  /** Those that have no line of their own. */
  untold: number;
}

export class StorageWatch {
  readonly #db: Database;
  #commits = 0;
  /** When the last commit was noticed, and when something was last written here. */
  #committedAt = -Infinity;
  #wroteAt = -Infinity;
  #told: Told | null = null;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Why nothing can be written; null when writes work, as far as is known. */
  problem(): { reason: StorageReason; message: string } | null {
    const { failure } = this.#db.storage();
    return failure && { reason: failure.reason, message: describeStorageProblem(failure.reason) };
  }

  /**
   * Whether this error is the storage's, which is then seen to here: nobody else logs it. Of many that
   * follow each other, as every request brings one while a disk is full, the first has a line.
   */
  took(core: Surroundings, error: unknown): boolean {
    const failure = storageFailureOf(error);
    if (failure === null) return false;
    const { access, reason, cause } = failure;
    const now = core.monotonic();
    this.#told ??= { reasons: new Set(), from: now, lastAt: now, summedAt: now, untold: 0 };
    this.#told.lastAt = now;
    if (this.#told.reasons.has(reason)) {
      this.#told.untold++;
      return true;
    }
    this.#told.reasons.add(reason);
    const fields = { access, reason, ...(cause ? { err: cause } : {}) };
    core.log.error(fields, `the storage fails: ${failure.message}`);
    return true;
  }

  /** To be called every second. Tries to `write` something when it is time to, and tells the log. */
  async look(core: Surroundings, write: () => Promise<unknown>): Promise<void> {
    await this.#writeWhenDue(core, write);
    this.#tell(core);
  }

  async #writeWhenDue(core: Surroundings, write: () => Promise<unknown>): Promise<void> {
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
      if (!this.took(core, error)) throw error;
    }
  }

  #tell(core: Surroundings): void {
    const told = this.#told;
    if (told === null) return;
    const now = core.monotonic();
    const facts = {
      reasons: [...told.reasons],
      failures: told.untold,
      forSeconds: Math.round((now - told.from) / 1000),
    };
    if (this.#db.storage().failure === null && now - told.lastAt >= calmMs) {
      this.#told = null;
      core.log.info(facts, "the storage works again");
    } else if (now - told.summedAt >= sumEveryMs) {
      told.summedAt = now;
      told.untold = 0;
      core.log.error(facts, "the storage still fails");
    }
  }
}
