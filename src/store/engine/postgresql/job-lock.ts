// The lock for the jobs that only one process of the cluster may run at a time. The lock ends with
// its connection, so a process that was killed or disappeared does not keep it.

import type { JobLock } from "../../database.ts";
import { RenewedSession } from "./connection/renewed-session.ts";
import type { Session } from "./connection/session.ts";

/**
 * How often the process that holds the lock sends a statement, so that its connection is not
 * silent.
 */
const beatMs = 2000;

/**
 * The connection's `idle_session_timeout`. The server closes a connection that is silent for
 * longer.
 */
export const silenceMs = 10_000;

const key = "hashtextextended('platform job leader', 0)";
const take = `SELECT pg_try_advisory_lock(${key}) AS "taken"`;
const giveBack = `SELECT pg_advisory_unlock(${key})`;

export class JobLockConnection {
  readonly #session: RenewedSession;
  #isHeld = false;

  /** Sessions must have an `idle_session_timeout` of `silenceMs`. */
  constructor(connect: () => Promise<Session>) {
    this.#session = new RenewedSession(connect);
  }

  /**
   * Returns null if another process, or this one, holds the lock. Rejects if this cannot be
   * determined.
   */
  async tryLock(): Promise<JobLock | null> {
    // PostgreSQL would give a connection the same lock twice.
    if (this.#isHeld) return null;
    this.#isHeld = true;
    let lock: JobLock | null = null;
    try {
      const session = await this.#session.get();
      const { rows } = await session.query(take);
      if (rows[0].taken === 1) lock = this.#lockOn(session);
      return lock;
    } finally {
      if (lock === null) this.#isHeld = false;
    }
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  #lockOn(session: Session): JobLock {
    const lost = new AbortController();
    const beat = setInterval(() => session.query("SELECT 1").catch(() => undefined), beatMs);
    beat.unref();
    const end = () => {
      clearInterval(beat);
      forget();
      this.#isHeld = false;
    };
    const forget = session.onLost(() => {
      end();
      lost.abort();
    });
    return {
      lost: lost.signal,
      release: async () => {
        if (lost.signal.aborted) return;
        await session.query(giveBack).catch(() => session.destroy());
        end();
      },
    };
  }
}
