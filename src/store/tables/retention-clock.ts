// Stores the clock that deletions by age are based on.

import type { RetentionClock } from "../../domain/retention-clock.ts";
import type { Reader, Tx } from "../database.ts";
import { get, run } from "../sql.ts";
import { findSetting, writeSetting } from "./settings.ts";

const key = "retentionClock";

/** Returns null if no clock has been stored yet. */
export function findRetentionClock(db: Reader): Promise<RetentionClock | null> {
  return findSetting<{ at: number; doubtedMs: number }>(db, key);
}

export function keepRetentionClock(tx: Tx, { at, doubtedMs }: RetentionClock): Promise<void> {
  return writeSetting(tx, key, { at, doubtedMs });
}

/**
 * Returns when a service last ran on this database, to within a minute, in Unix milliseconds. If no
 * time was stored, returns the time of the newest record, unless that is in the future.
 */
export async function lastWallClock(db: Reader, now: number): Promise<number | null> {
  const row = await get(db)<{ at: number }>`SELECT updated_at AS "at" FROM settings
     WHERE key = ${key}`;
  if (row) return row.at;
  const newest = await newestTime(db);
  return newest !== null && newest <= now ? newest : null;
}

/** Records the wall clock without moving the clock for deletions. */
export async function noteWallClock(tx: Tx): Promise<void> {
  await run(tx)`UPDATE settings SET updated_at = ${tx.now} WHERE key = ${key}`;
}

/** Returns Unix milliseconds, or null for an empty database. */
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
