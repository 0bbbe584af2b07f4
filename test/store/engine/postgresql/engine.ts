// Opens engines on a database with one small table.

import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import type { Tx } from "../../../../src/store/database.ts";
import { addressOf } from "../../../../src/store/engine/postgresql/connection/address.ts";
import {
  PostgresDatabase,
  type PostgresOptions,
} from "../../../../src/store/engine/postgresql/database.ts";
import { createWriteGroups } from "../../../../src/store/engine/postgresql/writes/write-group-log.ts";
import { atEnd } from "../../../helpers/lifetime.ts";
import { postgresDatabase } from "../../../helpers/postgres.ts";

const schema = `
  CREATE TABLE things (id BIGSERIAL PRIMARY KEY, name TEXT COLLATE "C" UNIQUE NOT NULL);
  ${createWriteGroups}`;

/** Connects as another program would. */
export async function connectTo(url: string): Promise<pg.Client> {
  const client = new pg.Client(url);
  client.on("error", () => undefined);
  await client.connect();
  atEnd(() => client.end());
  return client;
}

/** Returns the time of the database's clock, in Unix milliseconds. */
export async function databaseTime(other: pg.Client): Promise<number> {
  const sql = "SELECT extract(epoch FROM clock_timestamp()) * 1000 AS at";
  return Number((await other.query(sql)).rows[0].at);
}

/** The databases of earlier tests. Emptying one is faster than creating one. */
const free: string[] = [];

/** Creates the table in an empty database. Returns the database's URL. */
export async function thingsDatabase(url?: string): Promise<string> {
  const address = url ?? free.pop() ?? (await postgresDatabase()).url;
  if (url === undefined) atEnd(() => free.push(address));
  const client = new pg.Client(address);
  await client.connect();
  // Waits until the connections of the earlier test have ended, because they can still hold locks.
  await client.query(
    `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid();
     DROP SCHEMA public CASCADE; CREATE SCHEMA public; ${schema}`,
  );
  await client.end();
  return address;
}

export async function openOn(
  url: string,
  options: Omit<PostgresOptions, "address"> = {},
): Promise<PostgresDatabase> {
  const database = await PostgresDatabase.open({ address: addressOf(url), ...options });
  atEnd(() => database.close());
  return database;
}

export async function openEngine(options: Omit<PostgresOptions, "address"> = {}) {
  const url = await thingsDatabase();
  const database = await openOn(url, options);
  const other = await connectTo(url);
  const names = async () =>
    (await other.query("SELECT name FROM things ORDER BY id")).rows.map(({ name }) => name);
  return { url, database, other, names };
}

/** Resolves when this many connections to this database wait for the write lock or a similar one. */
export async function lockIsAwaited(other: pg.Client, connections = 1): Promise<void> {
  const sql = `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
  while ((await other.query(sql)).rows.length < connections) await nextTurn();
}

export function add(tx: Tx, name: string): Promise<number> {
  return tx.run("INSERT INTO things (name) VALUES (?)", name);
}

export async function countIn(db: Pick<Tx, "get">): Promise<number | undefined> {
  return (await db.get<{ count: number }>(`SELECT COUNT(*) AS "count" FROM things`))?.count;
}

/** Returns the value of each write, or the code or message of its failure. */
export async function outcomesOf(writes: Promise<unknown>[]): Promise<unknown[]> {
  const settled = await Promise.allSettled(writes);
  return settled.map((each) =>
    each.status === "fulfilled" ? each.value : (each.reason.code ?? each.reason.message),
  );
}
