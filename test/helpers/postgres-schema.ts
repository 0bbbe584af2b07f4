import pg from "pg";
import { openPostgres } from "../../src/store/engine/postgresql/open.ts";
import { atEnd } from "./lifetime.ts";
import { postgresDatabase } from "./postgres.ts";

/** Returns a connection to a new database with this program's schema, closed after the test. */
export async function migratedPostgres(): Promise<pg.Client> {
  const { url, drop } = await postgresDatabase();
  atEnd(drop);
  const { database } = await openPostgres({ url, schema: "apply" });
  await database.close();
  const client = new pg.Client(url);
  await client.connect();
  atEnd(() => client.end());
  return client;
}
