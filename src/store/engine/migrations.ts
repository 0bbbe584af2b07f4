// Loads the migrations that ship with this program, and compares them with those that a database
// has.

import { createHash } from "node:crypto";
import { projectFileNames, readProjectFile } from "../../lib/files/project-files.ts";
import type { Database } from "../database.ts";

export interface Migration {
  version: number;
  name: string;
  sql: string;
  /** SHA-256 of the SQL, in hexadecimal. */
  checksum: string;
}

export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
  appliedAt: number;
}

/** PostgreSQL's first migration creates everything that SQLite's first six create. */
const firstVersion = { sqlite: 1, postgresql: 6 };

/** Returns this program's migrations for an engine, in order. */
export function loadMigrations(engine: Database["engine"] = "sqlite"): Migration[] {
  const folder = `migrations/${engine}/`;
  loaded[engine] ??= inOrder(projectFileNames(folder), firstVersion[engine], (name) =>
    readProjectFile(folder + name),
  );
  return loaded[engine];
}

const loaded: { [engine in Database["engine"]]?: Migration[] } = {};

/** Throws if the names of the SQL files are not numbered from `first`. */
export function inOrder(
  names: string[],
  first: number,
  read: (name: string) => string,
): Migration[] {
  const files = names.filter((name) => name.endsWith(".sql")).sort();
  return files.map((name, index) => {
    const sql = read(name);
    const version = Number.parseInt(name, 10);
    if (version !== first + index)
      throw new Error(`migrations must be numbered 1, 2, 3 …: ${name}`);
    return { version, name, sql, checksum: createHash("sha256").update(sql).digest("hex") };
  });
}

/** The number of this program's newest migration. */
export function newestVersion(engine: Database["engine"]): number {
  newest[engine] ??= Math.max(
    ...projectFileNames(`migrations/${engine}/`).flatMap((name) =>
      name.endsWith(".sql") ? [Number.parseInt(name, 10)] : [],
    ),
  );
  return newest[engine];
}

const newest: { [engine in Database["engine"]]?: number } = {};

/**
 * Returns the migrations that a database still needs. Reports a problem if another program wrote
 * the database, or if its history differs. A newer schema is a problem, too, unless this program
 * has the migration `minimum`, which is enough to use that schema.
 */
export function compareMigrations(
  known: Migration[],
  applied: AppliedMigration[],
  isEmpty: boolean,
  minimum: number | null = null,
): { problem: string | null; pending: Migration[] } {
  const refused = (problem: string) => ({ problem, pending: [] });
  if (applied.length === 0 && !isEmpty) return refused("it belongs to another program");
  const version = known.at(-1)?.version ?? 0;
  if (applied.length > known.length && (minimum === null || minimum > version)) {
    return refused(
      `its schema (version ${applied.at(-1)?.version}) is newer than this program (version ` +
        `${version}): use the program that wrote it, or a newer one`,
    );
  }
  for (const [index, row] of applied.slice(0, known.length).entries()) {
    if (known[index]?.checksum !== row.checksum) {
      return refused(`its migration ${row.name} differs from this program's`);
    }
  }
  return { problem: null, pending: known.slice(applied.length) };
}
