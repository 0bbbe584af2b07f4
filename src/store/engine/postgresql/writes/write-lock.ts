// One process of the cluster writes at a time: each transaction that writes begins by taking a
// lock.

import { StorageFailure } from "../../../../domain/storage/failures.ts";
import { movedSetting } from "../../../move/mark.ts";
import { poolerInTransactionMode } from "../connection/pooler.ts";
import type { Result, Session } from "../connection/session.ts";

/** The key of the advisory lock: the letters "platform" as a number. */
export const writeLockKey = "8100956982295360109";

const takeLock = `SELECT pg_advisory_xact_lock(${writeLockKey})`;

/**
 * Takes the same lock and holds it until the session ends, so that no other process writes
 * meanwhile.
 */
export const takeLockForSession = `SELECT pg_advisory_lock(${writeLockKey})`;

/**
 * Reads the database's clock in whole milliseconds, and the id of the server process for the
 * connection.
 */
export const readClock = `SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "now",
  pg_backend_pid() AS "pid"`;

/** Also reads the mark of a database whose data was moved away. The table `settings` must exist. */
export const readClockAndMark = readClock.replace(
  "SELECT ",
  `SELECT (SELECT value FROM settings WHERE key = '${movedSetting}') AS "movedTo", `,
);

export interface LockedTransaction {
  session: Session;
  /** The time of the whole transaction, in Unix milliseconds, by the database's clock. */
  now: number;
}

/**
 * Begins a transaction that holds the lock. Each of its statements sees everything that was
 * committed before. A single snapshot would not, because it would be older than the lock.
 */
export async function beginLocked(
  session: Session,
  now?: () => number,
  clockQuery = readClock,
): Promise<LockedTransaction> {
  try {
    // The clock is read after the lock is taken, so that no later transaction has an earlier time.
    const [, , clock] = await session.batch([
      "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE",
      takeLock,
      clockQuery,
    ]);
    const { now: databaseNow, pid, movedTo = null } = (clock as Result).rows[0];
    if (pid !== session.pid)
      throw new StorageFailure("write", "UNREACHABLE", poolerInTransactionMode());
    if (movedTo !== null) throw new StorageFailure("write", "MOVED");
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
