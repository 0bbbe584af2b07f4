// Decides whether this node runs the jobs that only one node of a cluster may run at a time. That
// node has a lock, until it stops or loses the connection that holds the lock. On SQLite, every
// process has the lock.

import type { Database, JobLock } from "../../store/database.ts";

/** How long a node waits before it asks for the lock again. */
const retryMs = 900;

export class Leadership {
  readonly #db: Database;
  readonly #monotonic: () => number;
  #lock: JobLock | null = null;
  #asking: Promise<void> | null = null;
  #askedAt = -Infinity;

  constructor(db: Database, monotonic: () => number) {
    this.#db = db;
    this.#monotonic = monotonic;
  }

  get isHeld(): boolean {
    return this.#lock !== null && !this.#lock.lost.aborted;
  }

  /** Takes the lock if it is free. Throws AppError UNAVAILABLE if the lock cannot be requested. */
  async acquire(): Promise<boolean> {
    if (this.isHeld) return true;
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    await this.#asking;
    return this.isHeld;
  }

  /** Must be called when the node stops. */
  async resign(): Promise<void> {
    await this.#asking?.catch(() => undefined);
    await this.#lock?.release();
    this.#lock = null;
  }

  async #ask(): Promise<void> {
    const now = this.#monotonic();
    if (now - this.#askedAt < retryMs) return;
    this.#askedAt = now;
    this.#lock = await this.#db.tryLock();
  }
}
