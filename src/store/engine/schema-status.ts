import type { MigrationView } from "../../domain/storage/migrations.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { appliedMigrations } from "./migrate.ts";
import { loadMigrations, type Migration } from "./migrations.ts";
import { schemaProblem } from "./schema-comparison.ts";
import { openReader, refusal, requireDatabase } from "./sqlite-file.ts";

/** Throws AppError UNAVAILABLE if the file is not a readable database of this program. */
export function schemaStatus(file: string, known: Migration[] = loadMigrations()): MigrationView[] {
  requireDatabase(file);
  const connection = openReader(file);
  try {
    const applied = appliedMigrations(connection).map((row, index) => ({
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
    return [...applied, ...pending];
  } catch (error) {
    throw refusal(file, (error as Error).message, error);
  } finally {
    connection.close();
  }
}

/** Returns null if migrations created the whole schema. Call `schemaStatus` first. */
export function schemaDifference(file: string): string | null {
  const connection = openReader(file);
  try {
    return schemaProblem(connection);
  } finally {
    connection.close();
  }
}

function stateOf(checksum: string, known: Migration | undefined): MigrationView["state"] {
  if (!known) return "UNKNOWN";
  return known.checksum === checksum ? "APPLIED" : "CHANGED";
}
