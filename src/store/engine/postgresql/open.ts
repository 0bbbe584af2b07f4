import { AppError } from "../../../domain/errors.ts";
import { hasContent } from "../../files/content.ts";
import { loadMigrations, type Migration } from "../migrations.ts";
import type { OpenedDatabase } from "../open.ts";
import { PostgresDatabase, type PostgresOptions } from "./database.ts";
import { ConnectionLost } from "./losses.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { Session } from "./session.ts";
import { type PostgresTarget, targetOf } from "./target.ts";

export interface OpenPostgresOptions extends Omit<PostgresOptions, "target"> {
  /** `postgres://user:password@host:port/database`, with the parameters of `target.ts`. */
  url: string;
  /** `apply` creates or migrates the schema; `require` refuses one that is not up to date. */
  schema: "apply" | "require";
  /** Replaces this program's migrations in tests. */
  migrations?: Migration[];
}

/** A migration, and waiting for another process's migration, may take long. */
const migrationMs = 600_000;
const connectMs = 5000;

const oldestVersion = 15;

/** Throws AppError UNAVAILABLE with the database and the reason, without the password. */
export async function openPostgres({
  url,
  schema,
  migrations = loadMigrations("postgresql"),
  ...options
}: OpenPostgresOptions): Promise<Omit<OpenedDatabase, "restoreUndone">> {
  const target = targetOf(url);
  try {
    const migrated = await prepareSchema(target, schema, migrations, options.now);
    const database = await PostgresDatabase.open({ ...options, target });
    const { read } = database;
    const newest = await read.get<{ seq: number | null }>(
      `SELECT MAX(seq) AS "seq" FROM audit_events`,
    );
    const tables = await read.all<{ name: string }>(
      `SELECT tablename AS "name" FROM pg_tables WHERE schemaname = current_schema()`,
    );
    const names = tables.map(({ name }) => name);
    const isNew = !(await hasContent(read, names));
    return { database, migrated, hasHistory: newest?.seq !== null, isNew };
  } catch (error) {
    throw error instanceof AppError ? error : refusal(target, error);
  }
}

async function prepareSchema(
  target: PostgresTarget,
  schema: "apply" | "require",
  migrations: Migration[],
  now: (() => number) | undefined,
): Promise<Migration[]> {
  const limits = {
    statement: migrationMs,
    lock: migrationMs,
    idleInTransaction: 60_000,
    connect: connectMs,
  };
  const session = await Session.open(target, { limits, isDurable: true });
  try {
    await refuseUnsuitable(session);
    if (schema === "apply") return await migrate(session, migrations, now);
    const pending = await pendingMigrations(session, migrations);
    if (pending.length === 0) return [];
    throw new Error("its schema is older than this program requires: start `platform serve` once");
  } finally {
    await session.end();
  }
}

async function refuseUnsuitable(session: Session): Promise<void> {
  const { rows } = await session.query(
    `SELECT current_setting('server_version_num')::int / 10000 AS "version",
       current_setting('server_version') AS "fullVersion",
       current_setting('server_encoding') AS "encoding",
       pg_is_in_recovery() AS "isReplica", current_schema() AS "schema"`,
  );
  const { version, fullVersion, encoding, isReplica, schema } = rows[0];
  if (version < oldestVersion) {
    throw new Error(
      `it is PostgreSQL ${fullVersion}, but this program needs ${oldestVersion} or newer`,
    );
  }
  if (encoding !== "UTF8") throw new Error(`its encoding is ${encoding}, but must be UTF8`);
  if (isReplica === 1) throw new Error("it is a read-only replica: connect to the primary");
  if (schema === null) throw new Error("none of the schemas in its search_path exists");
}

function refusal(target: PostgresTarget, error: unknown): AppError {
  const reason = error instanceof ConnectionLost ? error.cause : error;
  const message = `Cannot use the database ${target.name}: ${messageOf(reason)}.`;
  return new AppError("UNAVAILABLE", message, { cause: error });
}

/** Node reports the attempts on several addresses in one error without a message. */
function messageOf(error: unknown): string {
  const { errors, message } = error as AggregateError;
  if (message === "" && errors?.[0]) return messageOf(errors[0]);
  return message.replace(/\.$/, "");
}
