// The clock by which things are deleted, as it is kept in the database.

import type { RetentionClock } from "../../domain/retention-clock.ts";
import type { Reader, Tx } from "../database.ts";
import { writeSetting } from "./settings.ts";

const key = "retentionClock";

/** Null where none was kept yet. */
export async function findRetentionClock(db: Reader): Promise<RetentionClock | null> {
  const row = await db.get<{ value: string }>("SELECT value FROM settings WHERE key = ?", key);
  return row ? (JSON.parse(row.value) as RetentionClock) : null;
}

export function keepRetentionClock(tx: Tx, { at, doubtedMs }: RetentionClock): Promise<void> {
  return writeSetting(tx, key, { at, doubtedMs });
}

/**
 * What the wall clock showed when a service last ran on this database, within a minute, in Unix
 * milliseconds; null where that is not known. Where it was never kept, the newest thing says it, unless
 * that is after `now`.
 */
export async function lastWallClock(db: Reader, now: number): Promise<number | null> {
  const row = await db.get<{ at: number }>(
    `SELECT updated_at AS "at" FROM settings WHERE key = ?`,
    key,
  );
  if (row) return row.at;
  const newest = await newestTime(db);
  return newest !== null && newest <= now ? newest : null;
}

/** Keeps what the wall clock shows; the clock for deletion stays where it is. */
export async function noteWallClock(tx: Tx): Promise<void> {
  await tx.run("UPDATE settings SET updated_at = ? WHERE key = ?", tx.now, key);
}

/** When the newest thing in the database happened, in Unix milliseconds; null in an empty one. */
export async function newestTime(db: Reader): Promise<number | null> {
  const event = await db.get<{ at: number }>(
    "SELECT at FROM audit_events ORDER BY seq DESC LIMIT 1",
  );
  const beat = await db.get<{ at: number | null }>(
    `SELECT MAX(last_heartbeat_at) AS "at" FROM agents`,
  );
  const times = [event?.at, beat?.at].filter((at) => typeof at === "number");
  return times.length === 0 ? null : Math.max(...times);
}
