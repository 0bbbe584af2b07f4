import type { MigrationView, SchemaStatus } from "../../../domain/storage/migrations.ts";
import { isoTime } from "../../../lib/iso-time.ts";
import { type AppliedMigration, loadMigrations, type Migration } from "../migrations.ts";
import { openReader, refusal, requireDatabase } from "./file.ts";
import { appliedMigrations } from "./migrate.ts";
import { schemaProblem } from "./schema-comparison.ts";

/** Throws AppError UNAVAILABLE if the file is not a readable database of this program. */
export function schemaStatus(file: string): SchemaStatus {
  requireDatabase(file);
  const connection = openReader(file);
  try {
    const migrations = statesOf(loadMigrations(), appliedMigrations(connection));
    return { migrations, minimum: null };
  } catch (error) {
    throw refusal(file, (error as Error).message, error);
  } finally {
    connection.close();
  }
}

/** Compares this program's migrations with those that a database has. */
export function statesOf(known: Migration[], applied: AppliedMigration[]): MigrationView[] {
  const done = applied.map((row, index) => ({
    version: row.version,
    name: row.name,
    state: stateOf(row.checksum, known[index]),
    appliedAt: isoTime(row.appliedAt),
    checksum: row.checksum,
  }));
  const pending = known.slice(applied.length).map(({ version, name, checksum }) => ({
    version,
    name,
    state: "PENDING" as const,
    appliedAt: null,
    checksum,
  }));
  return [...done, ...pending];
}

/** Returns null if the schema is exactly what its migrations create. Call `schemaStatus` first. */
export function schemaDifference(file: string): string | null {
  const connection = openReader(file);
  try {
    return schemaProblem(connection);
  } finally {
    connection.close();
  }
}

/**
 * Like `schemaDifference`, but for a file that no process writes. Also returns null if the file's
 * migrations differ from this program's.
 */
export function knownSchemaProblem(file: string): string | null {
  const connection = openReader(file, 0);
  try {
    const states = statesOf(loadMigrations(), appliedMigrations(connection));
    const isKnown = states.every(({ state }) => state === "APPLIED" || state === "PENDING");
    return isKnown ? schemaProblem(connection) : null;
  } finally {
    connection.close();
  }
}

function stateOf(checksum: string, known: Migration | undefined): MigrationView["state"] {
  if (!known) return "UNKNOWN";
  return known.checksum === checksum ? "APPLIED" : "CHANGED";
}
