// Databases for tests on the one PostgreSQL server of the run, and more servers for tests that kill
// them.

import pg from "pg";
import { inject } from "vitest";
import { atEnd } from "./lifetime.ts";
import { PostgresServer } from "./postgres-server.ts";
import { getShared } from "./shared-resource.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Shares a `SharedServer`. Null without binaries. */
    postgresSocket: string | null;
  }
}

export interface PostgresDatabase {
  url: string;
  name: string;
  /** Removes the database, and ends the connections to it. */
  drop(): Promise<void>;
}

/** For `test.skipIf(!hasPostgres)`: whether there are binaries for this platform. */
export const hasPostgres = inject("postgresSocket") !== null;

/** Creates an empty database, or a copy of `template`, which nobody may be using. */
export async function postgresDatabase(template?: string): Promise<PostgresDatabase> {
  const { created, ...database } = newPostgresDatabase(await postgresServer(), template);
  await created;
  return database;
}

/** Returns at once. The database can be used when `created` resolves. */
export function newPostgresDatabase(
  server: string,
  template = "template1",
): PostgresDatabase & { created: Promise<void> } {
  const name = `test_${process.pid}_${++count}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    name,
    created: query(
      server,
      // The usual strategy writes every page to the log, and takes twice the CPU time.
      `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`,
    ),
    drop: () => query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Returns the URL of the server, which the first call of the run starts. */
export async function postgresServer(): Promise<string> {
  return (await sharedServer()).url;
}

/** Starts another, durable server for a test that kills it. The server ends with the test. */
export async function ownPostgresServer(): Promise<PostgresServer> {
  const { template } = await sharedServer();
  const server = await PostgresServer.start({ durable: true, template });
  atEnd(() => server.stop());
  return server;
}

interface SharedServer {
  url: string;
  /** The files that the server started with. */
  template: string;
}

let server: Promise<SharedServer> | null = null;
let count = 0;

function sharedServer(): Promise<SharedServer> {
  server ??= askForServer();
  return server;
}

async function askForServer(): Promise<SharedServer> {
  const path = inject("postgresSocket");
  if (path === null) throw new Error("there are no PostgreSQL binaries: use test.skipIf");
  return getShared<SharedServer>("PostgreSQL", path);
}

async function query(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
