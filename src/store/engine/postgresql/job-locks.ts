// Locks for jobs that must not run twice at the same time in the cluster. They end with their
// connection, so a process that was killed or disappeared keeps none.

import type { JobLock } from "../../database.ts";
import { RenewedSession } from "./connection/renewed-session.ts";
import type { Session } from "./connection/session.ts";

/**
 * How often a process that holds a lock sends a statement, so that its connection is not silent.
 */
const beatMs = 2000;

/**
 * The connection's `idle_session_timeout`. The server closes a connection that is silent for
 * longer.
 */
export const silenceMs = 10_000;

const key = "hashtextextended('platform job ' || ?, 0)";
const take = `SELECT pg_try_advisory_lock(${key}) AS "taken"`;
const giveBack = `SELECT pg_advisory_unlock(${key})`;

export class JobLocks {
  readonly #session: RenewedSession;
  readonly #held = new Set<string>();

  /** Sessions must have an `idle_session_timeout` of `silenceMs`. */
  constructor(connect: () => Promise<Session>) {
    this.#session = new RenewedSession(connect);
  }

  /**
   * Returns null if another process, or this one, holds the lock. Rejects if this cannot be
   * determined.
   */
  async tryLock(name: string): Promise<JobLock | null> {
    // PostgreSQL would give a connection the same lock twice.
    if (this.#held.has(name)) return null;
    this.#held.add(name);
    let lock: JobLock | null = null;
    try {
      const session = await this.#session.get();
      const { rows } = await session.query(take, [name]);
      if (rows[0].taken === 1) lock = this.#lockOn(session, name);
      return lock;
    } finally {
      if (lock === null) this.#held.delete(name);
    }
  }

  async close(): Promise<void> {
    await this.#session.close();
  }

  #lockOn(session: Session, name: string): JobLock {
    const lost = new AbortController();
    const beat = setInterval(() => session.query("SELECT 1").catch(() => undefined), beatMs);
    beat.unref();
    const end = () => {
      clearInterval(beat);
      forget();
      this.#held.delete(name);
    };
    const forget = session.onLost(() => {
      end();
      lost.abort();
    });
    return {
      lost: lost.signal,
      release: async () => {
        if (lost.signal.aborted) return;
        await session.query(giveBack, [name]).catch(() => session.destroy());
        end();
      },
    };
  }
}
