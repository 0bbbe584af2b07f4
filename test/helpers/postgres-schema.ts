import pg from "pg";
import { atEnd } from "./lifetime.ts";
import { migratedDatabase } from "./migrated-database.ts";
import { postgresDatabase } from "./postgres.ts";

/** Returns a connection to a new database with this program's schema, closed after the test. */
export async function migratedPostgres(): Promise<pg.Client> {
  const { url, drop } = await postgresDatabase(migratedDatabase);
  atEnd(drop);
  const client = new pg.Client(url);
  await client.connect();
  atEnd(() => client.end());
  return client;
}
