// The mark of a database whose data was moved away. It is written before the target is committed,
// and checked whenever a database is opened for writing. (docs/decisions/0024-moving-a-database.md)

import { AppError } from "../../domain/errors.ts";
import { describeMark, type MovedTo } from "../../domain/storage/moves.ts";
import type { Reader, Tx } from "../database.ts";
import type { SqliteConnection } from "../engine/sqlite/file.ts";
import { deleteSetting, findSetting } from "../tables/settings.ts";

/** The key in `settings`. A move never copies this row from a source. */
export const movedSetting = "movedTo";

/** The table `settings` must exist. */
export async function findMark(db: Reader): Promise<MovedTo | null> {
  return ((await findSetting(db, movedSetting)) ?? null) as MovedTo | null;
}

/** Like `findMark`, for a file that is being opened and may be new. */
export function findMarkNow(connection: SqliteConnection): MovedTo | null {
  const known = connection
    .prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'settings'")
    .get();
  if (!known) return null;
  const value = connection
    .prepare("SELECT value FROM settings WHERE key = ?")
    .pluck()
    .get(movedSetting) as string | undefined;
  return value === undefined ? null : JSON.parse(value);
}

/** Like `findMark`, for a PostgreSQL database that may be new and have no tables. */
export async function findMarkOnServer(db: Reader): Promise<MovedTo | null> {
  const known = await db.get<{ known: number }>(
    `SELECT to_regclass('settings') IS NOT NULL AS "known"`,
  );
  return known?.known === 1 ? findMark(db) : null;
}

/** Returns the mark and removes it. */
export async function takeMark(tx: Tx): Promise<MovedTo | null> {
  const mark = await findMark(tx);
  if (mark !== null) await deleteSetting(tx, movedSetting);
  return mark;
}

/** `name` is that of the marked database. */
export function movedAway(name: string, mark: MovedTo): AppError {
  const { found, advice } = describeMark(name, mark);
  return new AppError("UNAVAILABLE", `Cannot open the database ${name}: ${found}. ${advice}.`);
}
