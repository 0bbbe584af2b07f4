import type { SchemaStatus } from "../../../domain/storage/migrations.ts";
import { loadMigrations } from "../migrations.ts";
import { statesOf } from "../sqlite/schema-status.ts";
import { addressOf } from "./connection/address.ts";
import { refusal } from "./connection/refusals.ts";
import { Session } from "./connection/session.ts";
import { appliedMigrations, hasNoTables, minimumVersion } from "./migrate.ts";

const limits = { statement: 10_000, lock: 10_000, idleInTransaction: 0, connect: 5000 };

/**
 * All migrations of an empty database are pending. Throws AppError UNAVAILABLE if the database
 * cannot be read or belongs to another program.
 */
export async function postgresSchemaStatus(url: string): Promise<SchemaStatus> {
  const address = addressOf(url);
  try {
    const session = await Session.open(address, { limits, isReadOnly: true });
    try {
      const applied = await appliedMigrations(session);
      if (applied.length === 0 && !(await hasNoTables(session))) {
        throw new Error("it belongs to another program");
      }
      const known = loadMigrations("postgresql");
      const minimum = await minimumVersion(session, known, applied);
      return { migrations: statesOf(known, applied), minimum };
    } finally {
      await session.end();
    }
  } catch (error) {
    throw refusal(address, error);
  }
}
