// Databases for test apps on PostgreSQL. They are emptied and used again, which is faster than
// creating one.

import { join } from "node:path";
import pg from "pg";
import { realWorld } from "../../src/app.ts";
import type {
  BatchHandler,
  BulkReader,
  Database,
  Reader,
  ReadingCaller,
  ReadingPurpose,
  Tx,
} from "../../src/store/database.ts";
import { addressOf } from "../../src/store/engine/postgresql/connection/address.ts";
import { PostgresDatabase } from "../../src/store/engine/postgresql/database.ts";
import type { OpenedDatabase } from "../../src/store/engine/sqlite/open.ts";
import { single } from "../../src/store/engine/write-queue.ts";
import { loadOrCreateKey } from "../../src/store/files/key-files.ts";
import { atEnd } from "./lifetime.ts";
import { migratedDatabase } from "./migrated-database.ts";
import { newPostgresDatabase, postgresServer } from "./postgres.ts";

/**
 * The URL of the server while test apps are opened on it, and otherwise null.
 * `TEST_DATABASE=postgresql vitest run test/core` opens every test app on PostgreSQL.
 */
let server = process.env.TEST_DATABASE === "postgresql" ? await postgresServer() : null;

/** Whether every test app opens on PostgreSQL. */
export function isChosen(): boolean {
  return server !== null;
}

/** Until the returned function is called, every test app opens on PostgreSQL. */
export async function everyAppOnPostgres(): Promise<() => void> {
  server = await postgresServer();
  return () => {
    server = null;
  };
}

/** Calls `open`. The test apps that it opens before its first `await` use PostgreSQL. */
export async function onPostgres<T>(open: () => T): Promise<T> {
  const url = await postgresServer();
  const before = server;
  server = url;
  try {
    return open();
  } finally {
    server = before;
  }
}

/** Whether a test app in this data folder uses PostgreSQL. */
export function isOnPostgres(folder: string): boolean {
  return server !== null || places.has(folder);
}

interface Place {
  url: string;
  /** Resolves when the database exists and, once a test app has opened it, is open. */
  ready: Promise<unknown>;
  isUsed: boolean;
}

/** The database of each data folder, until the end of the test. */
const places = new Map<string, Place>();
const free: { url: string; created: Promise<void> }[] = [];

/**
 * Creates the keys of a data folder, and returns the settings of a server, besides those in `env`.
 */
export function postgresSettings(
  folder: string,
  env: Record<string, string>,
): Record<string, string> {
  const { url } = places.get(folder) ?? placeFor(folder);
  const files = {
    AUDIT_KEY_FILE: join(folder, "audit.key"),
    ...(env.SESSION_SECRET ? {} : { SESSION_SECRET_FILE: join(folder, "session.key") }),
  };
  for (const file of Object.values(files)) loadOrCreateKey(file, realWorld.fillRandom);
  return { DATABASE_URL: url, ...files };
}

/** Returns the settings that a command with these words needs for the databases of test apps. */
export function settingsForWords(words: readonly string[]): Record<string, string> {
  for (const [folder, { url }] of places) {
    if (!words.some((word) => word.includes(url))) continue;
    const { DATABASE_URL, ...keys } = postgresSettings(folder, {});
    return { ...keys, DATA_DIR: folder };
  }
  return {};
}

/** Opens the database of a data folder. Connects to it when it is first used. */
export function openPostgresFor(folder: string, now: () => number): OpenedDatabase {
  const place = places.get(folder) ?? placeFor(folder);
  const { isUsed } = place;
  place.isUsed = true;
  const opening = place.ready.then(() => open(place, isUsed, now));
  place.ready = opening;
  const database = new DatabaseLater(opening, now);
  return { database, migrated: [], hasHistory: isUsed, isNew: !isUsed, restoreUndone: false };
}

/** The machine may be busy with all the other tests. */
function patientAddressOf(url: string) {
  return addressOf(`${url}?connect_timeout=60`);
}

async function open({ url }: Place, isUsed: boolean, now: () => number): Promise<Database> {
  const database = await PostgresDatabase.open({ address: patientAddressOf(url), now });
  // The schema looks as if this app had created it.
  if (!isUsed) {
    await database.write((tx) => tx.run("UPDATE schema_migrations SET applied_at = ?", now()));
  }
  return database;
}

/** Returns the URL of the database of a test app. */
export async function urlOnPostgres(folder: string): Promise<string> {
  const { url, ready } = places.get(folder) ?? placeFor(folder);
  await ready;
  return url;
}

/** Runs SQL statements in the database of a data folder, as another node would. */
export async function runOnPostgres(folder: string, sql: string): Promise<void> {
  const url = await urlOnPostgres(folder);
  const database = await PostgresDatabase.open({ address: patientAddressOf(url) });
  try {
    await database.write(async (tx) => {
      // After a change of an unknown kind, other processes trust nothing in their memory.
      tx.concerns("unknown");
      for (const statement of sql.split(";")) if (statement.trim()) await tx.run(statement);
    });
  } finally {
    await database.close();
  }
}

function placeFor(folder: string): Place {
  if (server === null) throw new Error("open the test app inside onPostgres");
  const { url, created } = free.pop() ?? newPostgresDatabase(server, migratedDatabase);
  const place: Place = { url, ready: created, isUsed: false };
  places.set(folder, place);
  atEnd(async () => {
    places.delete(folder);
    await place.ready;
    await empty(url);
    free.push({ url, created });
  });
  return place;
}

/** Runs SQL statements without the triggers, and without notifying the nodes. */
export async function forceOnPostgres(folder: string, ...statements: string[]): Promise<void> {
  await connected(await urlOnPostgres(folder), async (client) => {
    await client.query(["SET session_replication_role = replica", ...statements].join(";"));
  });
}

/**
 * Makes the database refuse these changes, such as `INSERT ON agents`, until the trigger is
 * dropped.
 */
export async function refuseOnPostgres(
  folder: string,
  trigger: string,
  change: string,
): Promise<void> {
  await connected(await urlOnPostgres(folder), async (client) => {
    await client.query(
      `CREATE OR REPLACE FUNCTION refuse_in_test() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'refused by the test'; END $$;
       CREATE TRIGGER ${trigger} BEFORE ${change} FOR EACH ROW EXECUTE FUNCTION refuse_in_test()`,
    );
  });
}

/** The connections that empty databases. A new one spends most of its time reading the catalog. */
const emptiers = new Map<string, pg.Client>();

async function openEmptier(url: string): Promise<pg.Client> {
  // The package's types lack this method.
  const client = new pg.Client(url) as pg.Client & { unref(): void };
  // Errors are expected: the server ends before this process, and a test may end all connections.
  client.on("error", () => emptiers.delete(url));
  await client.connect();
  client.unref();
  emptiers.set(url, client);
  return client;
}

async function empty(url: string): Promise<void> {
  const client = emptiers.get(url) ?? (await openEmptier(url));
  const { rows } = await client.query<{ name: string; isLarge: boolean }>(
    `SELECT tablename AS name, pg_relation_size(tablename::regclass) > 1000000 AS "isLarge"
     FROM pg_tables WHERE schemaname = current_schema()
       AND tablename NOT IN ('schema_migrations', 'command_outcomes')`,
  );
  // Deleting is faster for a few rows, but it leaves them in the table's files.
  const deletions = rows.map(({ name, isLarge }) =>
    isLarge ? `TRUNCATE ${name} CASCADE;` : `DELETE FROM ${name};`,
  );
  // Triggers and references are not checked.
  await client.query(
    `SET session_replication_role = replica; ${deletions.join(" ")}
     UPDATE command_outcomes SET count = 0 WHERE count <> 0;
     DROP FUNCTION IF EXISTS refuse_in_test CASCADE`,
  );
}

async function connected(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

class DatabaseLater implements Database {
  readonly engine = "postgresql";
  readonly read: Reader;
  readonly #opening: Promise<Database>;
  #opened: Database | null = null;

  readonly now: () => number;

  constructor(opening: Promise<Database>, now: () => number) {
    this.now = now;
    this.#opening = opening;
    this.read = readerLater(opening.then((database) => database.read));
    opening.then(
      (database) => {
        this.#opened = database;
      },
      () => undefined,
    );
  }

  bulkReader(caller: ReadingCaller, purpose?: ReadingPurpose): BulkReader {
    const reader = this.#opening.then((database) => database.bulkReader(caller, purpose));
    return {
      ...readerLater(reader),
      text: async (...given) => (await reader).text(...given),
    };
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.batch(single(work), null);
  }

  async batch<Item, Value>(
    handler: BatchHandler<Item, Value>,
    item: Item,
    key?: string,
  ): Promise<Value> {
    return (this.#opened ?? (await this.#opening)).batch(handler, item, key);
  }

  async durable(): Promise<void> {
    await (await this.#opening).durable();
  }

  onForeignChange(listener: (keys: readonly string[] | null) => void): () => void {
    let hasEnded = false;
    let end: (() => void) | null = null;
    this.#opening.then(
      (database) => {
        if (!hasEnded) end = database.onForeignChange(listener);
      },
      () => undefined,
    );
    return () => {
      hasEnded = true;
      end?.();
    };
  }

  checkForeignChange(): void {
    this.#opened?.checkForeignChange();
  }

  async tryLock() {
    return (await this.#opening).tryLock();
  }

  storage() {
    const idle = { failure: null, stoppedSince: null, pendingWrites: 0, commits: 0, heldLog: null };
    return this.#opened?.storage() ?? idle;
  }

  isStorageDoubtful(): boolean {
    return this.#opened?.isStorageDoubtful() ?? false;
  }

  async stats() {
    return (await this.#opening).stats();
  }

  async tidy(): Promise<void> {
    await (await this.#opening).tidy();
  }

  async close(): Promise<void> {
    await (await this.#opening).close();
  }
}

function readerLater(opening: Promise<Reader>): Reader {
  // Each read reports the failure.
  opening.catch(() => undefined);
  return {
    get: async (sql, ...params) => (await opening).get(sql, ...params),
    all: async (sql, ...params) => (await opening).all(sql, ...params),
  };
}
