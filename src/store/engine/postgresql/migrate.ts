// Migrates a PostgreSQL database. Each migration runs in one transaction that holds the write lock.
// So an interruption leaves the old or the new schema, and no process writes meanwhile.

import { leaveMigrationNote } from "../../files/migration-note.ts";
import type { AppliedMigration, Migration } from "../migrations.ts";
import { compareMigrations } from "../migrations.ts";
import type { Session } from "./connection/session.ts";
import { createWriteGroups } from "./writes/write-group-log.ts";
import { beginLocked, rollBack } from "./writes/write-lock.ts";

const createHistory = `CREATE TABLE IF NOT EXISTS schema_migrations (
  version BIGINT PRIMARY KEY,
  name TEXT NOT NULL,
  checksum TEXT NOT NULL,
  applied_at BIGINT NOT NULL
)`;

/** Returns an empty list for a new database. */
export async function appliedMigrations(session: Session): Promise<AppliedMigration[]> {
  const known = await session.query(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS "known"`,
  );
  if (known.rows[0].known === 0) return [];
  const { rows } = await session.query(
    `SELECT version, name, checksum, applied_at AS "appliedAt" FROM schema_migrations
     ORDER BY version`,
  );
  return rows;
}

/**
 * Returns the version of the oldest program that may use a newer schema. Returns null if the schema
 * is not newer, or if no older program may use it.
 */
export async function minimumVersion(
  session: Session,
  known: Migration[],
  applied: AppliedMigration[],
): Promise<number | null> {
  if (applied.length <= known.length) return null;
  const { rows } = await session.query(
    `SELECT MAX((to_jsonb(m) ->> 'minimum_version')::bigint) AS "minimum" FROM schema_migrations m`,
  );
  return rows[0].minimum;
}

/**
 * Throws an Error with the reason if the schema belongs to another program, is too new, or has a
 * different history. A newer schema is accepted if it still allows this program, so that the nodes
 * of a cluster can be upgraded one after the other.
 */
export async function pendingMigrations(
  session: Session,
  known: Migration[],
): Promise<Migration[]> {
  const isEmpty = await hasNoTables(session);
  const applied = await appliedMigrations(session);
  const minimum = await minimumVersion(session, known, applied);
  const { problem, pending } = compareMigrations(known, applied, isEmpty, minimum);
  if (problem !== null) throw new Error(problem);
  return pending;
}

/**
 * Returns the migrations that this call applied. Several programs may call this at the same time.
 */
export async function migrate(
  session: Session,
  known: Migration[],
  now?: () => number,
): Promise<Migration[]> {
  const done: Migration[] = [];
  while ((await pendingMigrations(session, known)).length > 0) {
    const { now: appliedAt } = await beginLocked(session, now);
    try {
      // Another program may have been first.
      const [next] = await pendingMigrations(session, known);
      if (next) {
        await apply(session, next, appliedAt);
        await session.query(leaveMigrationNote, [String(next.version), appliedAt]);
        done.push(next);
      }
      await session.query("COMMIT");
    } catch (error) {
      await rollBack(session);
      throw error;
    }
  }
  return done;
}

/** Creates the schema in the caller's transaction, in a database without tables. */
export async function createSchema(
  session: Session,
  known: Migration[],
  appliedAt: number,
): Promise<void> {
  for (const migration of known) await apply(session, migration, appliedAt);
}

async function apply(session: Session, migration: Migration, appliedAt: number): Promise<void> {
  const { version, name, checksum, sql } = migration;
  await session.execute(createHistory);
  await session.execute(createWriteGroups);
  await session.execute(sql);
  await session.query(
    "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
    [version, name, checksum, appliedAt],
  );
}

/** Ignores what belongs to extensions. */
export async function hasNoTables(session: Session): Promise<boolean> {
  const { rows } = await session.query(
    `SELECT EXISTS (
       SELECT 1 FROM pg_class c
       WHERE c.relnamespace = current_schema()::regnamespace AND NOT EXISTS (
         SELECT 1 FROM pg_depend d
         WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
       )
     ) AS "found"`,
  );
  return rows[0].found === 0;
}
