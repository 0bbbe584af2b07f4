// One process of the cluster writes at a time: each transaction that writes begins by taking a lock.

import { StorageFailure } from "../../../domain/storage/failures.ts";
import { poolerInTransactionMode } from "./pooler.ts";
import type { Session } from "./session.ts";
import type { Result } from "./statement-run.ts";

/** A key of PostgreSQL's advisory locks: the letters "platform". */
export const writeLockKey = "8100956982295360109";

const takeLock = `SELECT pg_advisory_xact_lock(${writeLockKey})`;

/** In whole milliseconds. */
export const readClock = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "now",
  pg_backend_pid() AS "pid"`;

export interface LockedTransaction {
  session: Session;
  /** The time of the whole transaction, in Unix milliseconds, by the database's clock. */
  now: number;
}

/**
 * Begins a transaction with the lock. Each of its statements sees what was committed before, which a
 * snapshot from before the wait for the lock would not.
 */
export async function beginLocked(
  session: Session,
  now?: () => number,
): Promise<LockedTransaction> {
  try {
    // The clock is read after the lock was taken, so that it does not go back.
    const [, , clock] = await session.batch([
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
      takeLock,
      readClock,
    ]);
    const { now: databaseNow, pid } = (clock as Result).rows[0];
    if (pid !== session.pid)
      throw new StorageFailure("write", "UNREACHABLE", poolerInTransactionMode());
    return { session, now: now?.() ?? databaseNow };
  } catch (error) {
    if (session.isOpen) await rollBack(session);
    throw error;
  }
}

/** Ends the transaction, if there is one. A lost connection has none, so this never throws. */
export async function rollBack(session: Session): Promise<void> {
  if (session.isInTransaction) await session.query("ROLLBACK").catch(() => session.destroy());
}
