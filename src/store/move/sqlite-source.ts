import type { MovedTo } from "../../domain/storage/moves.ts";
import { MoveRefused } from "../../domain/storage/moves.ts";
import type { FilePlace } from "../../domain/storage/place.ts";
import { trueName } from "../../lib/files/true-name.ts";
import type { Reader } from "../database.ts";
import { loadMigrations } from "../engine/migrations.ts";
import { claimDatabase, type DatabaseLock } from "../engine/sqlite/database-lock.ts";
import {
  openReader,
  openWriter,
  requireDatabase,
  type SqliteConnection,
} from "../engine/sqlite/file.ts";
import { pendingMigrations } from "../engine/sqlite/migrate.ts";
import { readerOf } from "../engine/sqlite/statements.ts";
import { undo } from "../files/replace-file.ts";
import { sqliteLayout, type TableLayout } from "./layout.ts";
import { movedSetting } from "./mark.ts";
import { otherSchema } from "./refusals.ts";
import type { RowTexts } from "./row-lines.ts";
import type { MoveSource } from "./sides.ts";
import { sqliteRows } from "./sqlite-rows.ts";

const busyTimeoutMs = 5000;

/** Holds the exclusive lock, so that no server or command uses the file. */
export class SqliteSource implements MoveSource {
  readonly place: FilePlace;
  readonly read: Reader;
  readonly #lock: DatabaseLock;
  readonly #writer: SqliteConnection;
  /** A connection cannot run other statements while it reads rows. */
  readonly #rows: SqliteConnection;

  private constructor(
    place: FilePlace,
    lock: DatabaseLock,
    writer: SqliteConnection,
    rows: SqliteConnection,
  ) {
    this.place = place;
    this.#lock = lock;
    this.#writer = writer;
    this.#rows = rows;
    this.read = readerOf(writer);
  }

  /** Throws MoveRefused, or AppError UNAVAILABLE. */
  static open(place: FilePlace): SqliteSource {
    const { file } = place;
    requireDatabase(file);
    const lock = claimDatabase(file);
    if (!lock) {
      const message =
        `${file} is in use: stop its server and any other program that has the file open, then try ` +
        "again. Nothing was changed.";
      throw new MoveRefused("DATABASE_IN_USE", message);
    }
    let writer: SqliteConnection | null = null;
    try {
      undo(trueName(file));
      writer = openWriter({ file, busyTimeoutMs, create: false });
      if (pendingMigrations(writer, loadMigrations()).length > 0) throw otherSchema(file, false);
      // This also keeps away programs that do not use the lock.
      writer.exec("BEGIN IMMEDIATE");
      return new SqliteSource(place, lock, writer, openReader(file));
    } catch (error) {
      writer?.close();
      lock.release();
      throw error;
    }
  }

  get name(): string {
    return this.place.name;
  }

  layout(): Promise<TableLayout[]> {
    return sqliteLayout(this.read);
  }

  rows(table: TableLayout): AsyncIterable<RowTexts[]> {
    return sqliteRows(this.#rows, table);
  }

  async mark(mark: MovedTo | null): Promise<void> {
    const writer = this.#writer;
    writer.prepare("DELETE FROM settings WHERE key = ?").run(movedSetting);
    if (mark !== null) {
      writer
        .prepare("INSERT INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
        .run(movedSetting, JSON.stringify(mark), mark.at);
    }
    writer.exec("COMMIT; BEGIN IMMEDIATE");
  }

  async close(): Promise<void> {
    this.#rows.close();
    this.#writer.close();
    this.#lock.release();
  }
}
