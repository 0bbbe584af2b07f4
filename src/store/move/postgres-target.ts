import { MoveRefused, type MoveReport } from "../../domain/storage/moves.ts";
import type { PostgresPlace } from "../../domain/storage/place.ts";
import type { Reader, Tx } from "../database.ts";
import { loadMigrations } from "../engine/migrations.ts";
import { ConnectionLost } from "../engine/postgresql/connection/losses.ts";
import type { Session } from "../engine/postgresql/connection/session.ts";
import {
  appliedMigrations,
  createSchema,
  hasNoTables,
  pendingMigrations,
} from "../engine/postgresql/migrate.ts";
import { readerOf } from "../engine/postgresql/open-reader.ts";
import { beginLocked } from "../engine/postgresql/writes/write-lock.ts";
import { storageReasonOf } from "../engine/storage-errors.ts";
import { findMove } from "./found-move.ts";
import { postgresLayout, quotedColumns, type TableLayout } from "./layout.ts";
import { plainTx } from "./plain-tx.ts";
import { openForMove, postgresRows } from "./postgres-side.ts";
import { notEmpty, otherSchema } from "./refusals.ts";
import type { Batch, RowTexts } from "./row-lines.ts";
import { CommitUnknown, type MoveTarget } from "./sides.ts";

/** Holds the write lock until the commit. A server that starts waits for the lock. */
export class PostgresTarget implements MoveTarget {
  readonly #place: PostgresPlace;
  readonly #session: Session;
  readonly read: Reader;
  readonly tx: Tx;

  private constructor(place: PostgresPlace, session: Session, now: number) {
    this.#place = place;
    this.#session = session;
    this.read = readerOf(session);
    const run = async (sql: string, params: readonly (string | number | null)[]) =>
      (await session.query(sql, params)).rowCount ?? 0;
    this.tx = plainTx({ read: this.read, run, now });
  }

  /** Throws MoveRefused, or AppError UNAVAILABLE. */
  static async open(place: PostgresPlace, signal: AbortSignal): Promise<PostgresTarget> {
    return openForMove(place, signal, async (session) => {
      const { now } = await begin(session, place);
      const known = loadMigrations("postgresql");
      if (await hasNoTables(session)) await createSchema(session, known, now);
      else await requireFresh(session, place);
      return new PostgresTarget(place, session, now);
    });
  }

  get name(): string {
    return this.#place.name;
  }

  layout(): Promise<TableLayout[]> {
    return postgresLayout(this.read);
  }

  async insert(table: TableLayout, batches: AsyncIterable<Batch>): Promise<void> {
    await this.#session.query(`DELETE FROM "${table.name}"`);
    const sql = `COPY "${table.name}" (${quotedColumns(table)}) FROM STDIN (ENCODING 'UTF8')`;
    await this.#session.copyIn(sql, chunksOf(batches));
  }

  /**
   * Collects statistics. Without them, the first queries would be planned as if the tables were
   * empty.
   */
  async inserted(tables: TableLayout[]): Promise<void> {
    await this.#session.query(`ANALYZE ${tables.map(({ name }) => `"${name}"`).join(", ")}`);
  }

  rows(table: TableLayout): AsyncIterable<RowTexts[]> {
    return postgresRows(this.#session, table);
  }

  async commit(): Promise<void> {
    try {
      const { command } = await this.#session.query("COMMIT");
      if (command !== "COMMIT") throw new Error("PostgreSQL rolled the move back");
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error;
      throw new CommitUnknown("the connection was lost during the commit", { cause: error });
    }
  }

  async close(): Promise<void> {
    await this.#session.end();
  }
}

/**
 * Returns the newest move into the database; null if there is none. If a move is still in progress,
 * waits for its transaction. Throws MoveRefused, or AppError UNAVAILABLE.
 */
export async function findPostgresMove(
  place: PostgresPlace,
  signal: AbortSignal,
): Promise<MoveReport | null> {
  return openForMove(place, signal, async (session) => {
    await begin(session, place);
    const known = await session.query(`SELECT to_regclass('audit_events') IS NULL AS "isNew"`);
    const move = known.rows[0].isNew === 1 ? null : await findMove(readerOf(session));
    await session.end();
    return move;
  });
}

async function begin(session: Session, { name }: PostgresPlace) {
  try {
    return await beginLocked(session);
  } catch (error) {
    if (storageReasonOf(error) !== "LOCKED") throw error;
    const message =
      `${name} is in use: another program is writing to it. Stop that program, then try again. ` +
      "Nothing was changed.";
    throw new MoveRefused("DATABASE_IN_USE", message, error);
  }
}

/** Throws MoveRefused unless the schema is this program's and has only the rows of a new schema. */
async function requireFresh(session: Session, { name }: PostgresPlace): Promise<void> {
  const known = loadMigrations("postgresql");
  const applied = await appliedMigrations(session);
  if (applied.length === 0) throw notEmpty(name, "it has tables of another program");
  await pendingMigrations(session, known);
  if (applied.length !== known.length) throw otherSchema(name, applied.length > known.length);
  for (const { name: table } of await postgresLayout(readerOf(session))) {
    const { rows } = await session.query(
      `SELECT EXISTS (SELECT 1 FROM "${table}" ${rowsOfNewSchema[table] ?? ""}) AS "found"`,
    );
    if (rows[0].found === 1) throw notEmpty(name, `the table ${table} has rows`);
  }
}

/**
 * Conditions that leave out the rows of a new schema: counts of zero, the mark of the audit key,
 * and the note about the migrations.
 */
const rowsOfNewSchema: Readonly<Record<string, string>> = {
  command_outcomes: "WHERE count <> 0",
  settings: "WHERE key NOT IN ('auditKey', 'migrated')",
};

async function* chunksOf(batches: AsyncIterable<Batch>): AsyncGenerator<Buffer> {
  for await (const { lines } of batches) yield Buffer.from(lines);
}
