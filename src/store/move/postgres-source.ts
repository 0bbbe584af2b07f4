import { nodeSilentMs } from "../../domain/nodes.ts";
import { type MovedTo, MoveRefused } from "../../domain/storage/moves.ts";
import type { PostgresPlace } from "../../domain/storage/place.ts";
import type { Reader } from "../database.ts";
import { loadMigrations } from "../engine/migrations.ts";
import type { Session } from "../engine/postgresql/connection/session.ts";
import { appliedMigrations, pendingMigrations } from "../engine/postgresql/migrate.ts";
import { readerOf } from "../engine/postgresql/open-reader.ts";
import { readClock, takeLockForSession } from "../engine/postgresql/writes/write-lock.ts";
import { storageReasonOf } from "../engine/storage-errors.ts";
import { postgresLayout, type TableLayout } from "./layout.ts";
import { movedSetting } from "./mark.ts";
import { openForMove, postgresRows } from "./postgres-side.ts";
import { otherSchema } from "./refusals.ts";
import type { RowTexts } from "./row-lines.ts";
import type { MoveSource } from "./sides.ts";

const beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/**
 * Holds the write lock until it is closed. If the connection is lost, the lock is lost, too, and
 * everything fails.
 */
export class PostgresSource implements MoveSource {
  readonly place: PostgresPlace;
  readonly read: Reader;
  readonly #session: Session;

  private constructor(place: PostgresPlace, session: Session) {
    this.place = place;
    this.#session = session;
    this.read = readerOf(session);
  }

  /** Throws MoveRefused, or AppError UNAVAILABLE. */
  static async open(place: PostgresPlace, signal: AbortSignal): Promise<PostgresSource> {
    return openForMove(place, signal, async (session) => {
      await requireSchema(session, place);
      await takeLock(session, place);
      await refuseNodes(session, place);
      await session.query(beginReading);
      return new PostgresSource(place, session);
    });
  }

  get name(): string {
    return this.place.name;
  }

  layout(): Promise<TableLayout[]> {
    return postgresLayout(this.read);
  }

  rows(table: TableLayout): AsyncIterable<RowTexts[]> {
    return postgresRows(this.#session, table);
  }

  async mark(mark: MovedTo | null): Promise<void> {
    const session = this.#session;
    await session.query("COMMIT"); // ends the reading transaction
    await session.query("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE");
    await session.query("DELETE FROM settings WHERE key = ?", [movedSetting]);
    if (mark !== null) {
      await session.query("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)", [
        ...[movedSetting, JSON.stringify(mark), mark.at],
      ]);
    }
    const { command } = await session.query("COMMIT");
    if (command !== "COMMIT") throw new Error("PostgreSQL rolled the mark back");
    await session.query(beginReading);
  }

  async close(): Promise<void> {
    await this.#session.end();
  }
}

async function requireSchema(session: Session, { name }: PostgresPlace): Promise<void> {
  const known = loadMigrations("postgresql");
  await pendingMigrations(session, known);
  const applied = await appliedMigrations(session);
  if (applied.length === 0) {
    throw new MoveRefused("SCHEMA_NOT_CURRENT", `${name} is empty, so there is nothing to move.`);
  }
  if (applied.length !== known.length) throw otherSchema(name, applied.length > known.length);
}

async function takeLock(session: Session, { name }: PostgresPlace): Promise<void> {
  try {
    await session.query(takeLockForSession);
  } catch (error) {
    if (storageReasonOf(error) !== "LOCKED") throw error;
    throw inUse(name, "another program is writing to it", error);
  }
}

/**
 * A node that has no row in `nodes` cannot write during the move, and is refused when it tries
 * afterwards.
 */
async function refuseNodes(session: Session, { name }: PostgresPlace): Promise<void> {
  const { rows: clock } = await session.query(readClock);
  const { rows } = await session.query("SELECT host, url FROM nodes WHERE seen_at >= ?", [
    clock[0].now - nodeSilentMs,
  ]);
  if (rows.length === 0) return;
  const nodes = rows.map(({ host, url }) => `${url} on ${host}`).join(", ");
  throw inUse(name, `servers use it (${nodes}). A killed server counts as running for 15 seconds`);
}

function inUse(name: string, why: string, cause?: unknown): MoveRefused {
  const message = `${name} is in use: ${why}. Stop all of its servers, then try again. Nothing was changed.`;
  return new MoveRefused("DATABASE_IN_USE", message, cause);
}
