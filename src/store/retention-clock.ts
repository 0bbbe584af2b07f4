// The clock by which things are deleted, as it is kept in the database.

import type { RetentionClock } from "../domain/retention-clock.ts";
import type { Reader, Tx } from "./database.ts";
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
