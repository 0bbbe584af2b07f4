import { setTimeout as pause } from "node:timers/promises";
import type { Reader } from "../../database.ts";
import { hasContent } from "../../files/content.ts";
import { loadMigrations, type Migration } from "../migrations.ts";
import type { OpenedDatabase } from "../sqlite/open.ts";
import { addressOf, type PostgresAddress } from "./connection/address.ts";
import { refuseTransactionPooler } from "./connection/pooler.ts";
import { refusal } from "./connection/refusals.ts";
import { Session } from "./connection/session.ts";
import { PostgresDatabase, type PostgresOptions } from "./database.ts";
import { hasNoTables, migrate, pendingMigrations } from "./migrate.ts";
import { readerOf } from "./open-reader.ts";

export interface OpenPostgresOptions extends Omit<PostgresOptions, "address"> {
  /** `postgres://user:password@host:port/database`, with the parameters that `address.ts` reads. */
  url: string;
  /** `apply` creates or migrates the schema; `require` refuses one that is not up to date. */
  schema: "apply" | "require";
  /** With `require`: how long the first connection may take. Default: 5 s. */
  connectMs?: number;
  /**
   * How long to wait for a server that cannot be reached yet. By default, there is only one
   * attempt.
   */
  patienceMs?: number;
  /** Throws if this program must not use the database. Runs before anything is changed. */
  check?: (db: Reader) => Promise<void>;
  /** Replaces this program's migrations in tests. */
  migrations?: Migration[];
}

/** A migration, or waiting for another process's migration, may take a long time. */
const migrationMs = 600_000;
const usualConnectMs = 5000;
/**
 * How long a starting server waits, because other nodes may keep the database busy. A command waits
 * for a shorter time.
 */
export const serverStartMs = 30_000;
/** The pause between two attempts to reach a server. */
const betweenAttemptsMs = 250;
/** The errors of a server that is not running yet, is starting, or has no connection left. */
const transient: unknown[] = ["ECONNREFUSED", "ECONNRESET", "57P03", "53300"];

const oldestVersion = 15;

/** Throws AppError UNAVAILABLE, which names the database and the reason, but not the password. */
export async function openPostgres({
  url,
  schema,
  check = async () => undefined,
  migrations = loadMigrations("postgresql"),
  connectMs = usualConnectMs,
  patienceMs = 0,
  ...options
}: OpenPostgresOptions): Promise<Omit<OpenedDatabase, "restoreUndone">> {
  const address = addressOf(url);
  try {
    const until = performance.now() + patienceMs;
    const connect = schema === "apply" ? serverStartMs : connectMs;
    const migrated = await inFirstSession(address, connect, until, async (session) => {
      await refuseUnsuitable(session);
      const pending = await pendingMigrations(session, migrations);
      await check(readerOf(session));
      if (schema === "apply") return migrate(session, migrations, options.now);
      if (pending.length === 0) return [];
      throw new Error(
        "its schema is older than this program requires: start `platform serve` once",
      );
    });
    const database = await PostgresDatabase.open({
      ...options,
      ...(schema === "apply" ? { startMs: serverStartMs } : {}),
      address,
    });
    try {
      return { database, migrated, ...(await contentOf(database.read)) };
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    throw refusal(address, error);
  }
}

/** Throws AppError UNAVAILABLE, like `openPostgres`, and also if the database has a table. */
export async function requireEmptyPostgres(url: string): Promise<void> {
  const address = addressOf(url);
  try {
    await inFirstSession(address, usualConnectMs, 0, async (session) => {
      await refuseUnsuitable(session);
      if (!(await hasNoTables(session))) throw new Error("it is not empty");
    });
  } catch (error) {
    throw refusal(address, error);
  }
}

async function contentOf(db: Reader) {
  const newest = await db.get<{ seq: number | null; databaseUser: string }>(
    `SELECT MAX(seq) AS "seq", session_user AS "databaseUser" FROM audit_events`,
  );
  if (!newest) throw new Error("PostgreSQL returned no row");
  const tables = await db.all<{ name: string }>(
    `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema()`,
  );
  const names = tables.map(({ name }) => name);
  const { seq, databaseUser } = newest;
  return { hasHistory: seq !== null, isNew: !(await hasContent(db, names)), databaseUser };
}

/** Tries again until `until`, by `performance.now()`, if the server cannot be reached yet. */
async function inFirstSession<T>(
  address: PostgresAddress,
  connect: number,
  until: number,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const limits = {
    statement: migrationMs,
    lock: migrationMs,
    idleInTransaction: 60_000,
    connect,
  };
  const open = () => Session.open(address, { limits, isDurable: true });
  const session = await openPatiently(open, until);
  try {
    // This check comes first, because the other statements may fail behind such a pooler.
    await refuseTransactionPooler(session, open);
    return await work(session);
  } finally {
    await session.end();
  }
}

async function openPatiently(open: () => Promise<Session>, until: number): Promise<Session> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as { code?: unknown };
      if (!transient.includes(code) || performance.now() >= until) throw error;
      await pause(betweenAttemptsMs);
    }
  }
}

export async function refuseUnsuitable(session: Session): Promise<void> {
  const { rows } = await session.query(
    `SELECT current_setting('server_version_num')::int / 10000 AS "version",
       current_setting('server_version') AS "fullVersion",
       current_setting('server_encoding') AS "encoding",
       current_schema() AS "schema"`,
  );
  const { version, fullVersion, encoding, schema } = rows[0];
  if (version < oldestVersion) {
    throw new Error(
      `it is PostgreSQL ${fullVersion}, but this program needs ${oldestVersion} or newer`,
    );
  }
  if (encoding !== "UTF8") throw new Error(`its encoding is ${encoding}, but must be UTF8`);
  if (schema === null) throw new Error("none of the schemas in its search_path exists");
}
