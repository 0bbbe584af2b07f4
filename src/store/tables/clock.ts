// Stores what servers must know about time after a restart, or about each other in a cluster: the
// clock for deletions, when a server last ran, the last absence and the last clock jump.

import type { RetentionClock } from "../../domain/retention-clock.ts";
import type { Reader, Tx } from "../database.ts";
import { get } from "../sql-tag.ts";
import { findSetting, writeSetting } from "./settings.ts";

/** A period in which no agent could reach a server, in Unix milliseconds. */
export type Absence = {
  from: number;
  to: number;
};

/** A clock jump, after which the deadlines of open commands were moved. */
export type MovedJump = {
  byMs: number;
  /** The first time after the jump, in Unix milliseconds. */
  since: number;
};

const retentionClock = "retentionClock";
const absence = "absence";
const jump = "clockJump";

/**
 * If no clock is stored, returns one with the time of the newest record. Returns null if the
 * database is empty. `movedAt` is when a server last ran: to within a minute on SQLite, and to
 * within `nodeEveryMs` on PostgreSQL.
 */
export async function findRetentionClock(db: Reader): Promise<RetentionClock | null> {
  const row = await get(db)<{ value: string; movedAt: number }>`
    SELECT value, updated_at AS "movedAt" FROM settings WHERE key = ${retentionClock}`;
  if (row) return { ...JSON.parse(row.value), movedAt: row.movedAt };
  const at = await newestTime(db);
  return at === null ? null : { at, doubtedMs: 0, movedAt: at };
}

export function keepRetentionClock(
  tx: Tx,
  { at, doubtedMs, movedAt }: RetentionClock,
): Promise<void> {
  return writeSetting(tx, retentionClock, { at, doubtedMs }, movedAt);
}

/** In Unix milliseconds. */
async function newestTime(db: Reader): Promise<number | null> {
  const event = await db.get<{ at: number }>(
    "SELECT at FROM audit_events ORDER BY seq DESC LIMIT 1",
  );
  const beat = await db.get<{ at: number | null }>(
    `SELECT MAX(last_heartbeat_at) AS "at" FROM agents`,
  );
  const times = [event?.at, beat?.at].filter((at) => typeof at === "number");
  return times.length === 0 ? null : Math.max(...times);
}

export async function findAbsence(db: Reader): Promise<Absence | null> {
  return (await findSetting<Absence>(db, absence)) ?? null;
}

export function writeAbsence(tx: Tx, { from, to }: Absence): Promise<void> {
  return writeSetting(tx, absence, { from, to });
}

export async function findMovedJump(db: Reader): Promise<MovedJump | null> {
  return (await findSetting<MovedJump>(db, jump)) ?? null;
}

export function writeMovedJump(tx: Tx, { byMs, since }: MovedJump): Promise<void> {
  return writeSetting(tx, jump, { byMs, since });
}
