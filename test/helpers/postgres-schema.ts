import { readdirSync, readFileSync } from "node:fs";
import pg from "pg";
import { atEnd } from "./lifetime.ts";
import { postgresDatabase } from "./postgres.ts";

const migrations = new URL("../../migrations/postgresql/", import.meta.url);

/** Returns a connection to a new database with this program's schema, closed after the test. */
export async function migratedPostgres(): Promise<pg.Client> {
  const database = await postgresDatabase();
  const client = new pg.Client(database.url);
  await client.connect();
  atEnd(async () => {
    await client.end();
    await database.drop();
  });
  for (const name of readdirSync(migrations).sort()) {
    await client.query(readFileSync(new URL(name, migrations), "utf8"));
  }
  return client;
}
