// Builds the file under a temporary name, and renames it when it is complete. So it needs no
// journal, and a file with the final name is never incomplete.

import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, dirname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { MoveRefused, type MoveReport } from "../../domain/storage/moves.ts";
import type { FilePlace } from "../../domain/storage/place.ts";
import { makeEmptyFile } from "../../lib/files/empty-file.ts";
import { flushFileSync, flushFolderSync } from "../../lib/files/flush-folder.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import type { FillRandom } from "../../lib/random.ts";
import { headCopyOf } from "../audit/head-copy.ts";
import { placeholders } from "../blocks.ts";
import type { Reader, Tx } from "../database.ts";
import { loadMigrations } from "../engine/migrations.ts";
import { claimDatabase, type DatabaseLock } from "../engine/sqlite/database-lock.ts";
import {
  applicationId,
  openReader,
  requireDatabase,
  type SqliteConnection,
  sizeOf,
  systemRefusal,
} from "../engine/sqlite/file.ts";
import { migrate } from "../engine/sqlite/migrate.ts";
import { readerOf } from "../engine/sqlite/statements.ts";
import { copyKey, flushKey, refuseOtherKey } from "../files/key-files.ts";
import { requireOwnFolder } from "../files/ownership.ts";
import { findMove } from "./found-move.ts";
import { quotedColumns, sqliteLayout, type TableLayout } from "./layout.ts";
import { plainTx } from "./plain-tx.ts";
import { notEmpty } from "./refusals.ts";
import type { Batch, RowTexts } from "./row-lines.ts";
import { CommitUnknown, type MovedKeys, type MoveTarget } from "./sides.ts";
import { sqliteRows } from "./sqlite-rows.ts";

interface SqliteTargetOptions {
  /** Also names the files to which the keys are written. */
  place: FilePlace;
  keys: MovedKeys;
  /** In Unix milliseconds. */
  now: number;
  fillRandom: FillRandom;
}

export class SqliteTarget implements MoveTarget {
  readonly #place: FilePlace;
  readonly #lock: DatabaseLock;
  readonly #connection: SqliteConnection;
  readonly read: Reader;
  readonly tx: Tx;
  /** The indexes that `inserted` creates, because filling them row by row takes much longer. */
  readonly #indexes: string[];
  readonly #keys: MovedKeys;
  readonly #fillRandom: FillRandom;

  private constructor(
    { place, keys, now, fillRandom }: SqliteTargetOptions,
    lock: DatabaseLock,
    connection: SqliteConnection,
  ) {
    this.#place = place;
    this.#keys = keys;
    this.#fillRandom = fillRandom;
    this.#lock = lock;
    this.#connection = connection;
    this.read = readerOf(connection);
    this.tx = plainTx({
      read: this.read,
      run: async (sql, params) => connection.prepare(sql).run(...params).changes,
      now,
    });
    this.#indexes = dropIndexes(connection);
  }

  /** Throws MoveRefused, or AppError UNAVAILABLE. */
  static open(options: SqliteTargetOptions): SqliteTarget {
    const { place, keys, now } = options;
    const { file } = place;
    refuseExisting(file);
    refuseOtherKey(place.auditKeyFile, keys.audit);
    if (keys.session !== null) refuseOtherKey(place.sessionKeyFile, keys.session);
    makeRoom(file);
    const lock = claimDatabase(file);
    if (!lock) throw new MoveRefused("DATABASE_IN_USE", `Another program is creating ${file}.`);
    try {
      refuseExisting(file);
      return new SqliteTarget(options, lock, create(draftOf(file), now));
    } catch (error) {
      removeDraft(file);
      lock.release();
      throw error;
    }
  }

  get name(): string {
    return this.#place.name;
  }

  layout(): Promise<TableLayout[]> {
    return sqliteLayout(this.read);
  }

  async insert(table: TableLayout, batches: AsyncIterable<Batch>): Promise<void> {
    this.#connection.exec(`DELETE FROM "${table.name}"`);
    // SQLite turns the digits into a number in a column of numbers.
    const insert = this.#connection.prepare(
      `INSERT INTO "${table.name}" (${quotedColumns(table)}) VALUES (${placeholders(table.columns.length)})`,
    );
    for await (const { rows } of batches) for (const row of rows) insert.run(...row);
  }

  async inserted(_tables: TableLayout[], signal: AbortSignal): Promise<void> {
    for (const sql of this.#indexes) {
      this.#connection.exec(sql);
      // Creating an index of a large table takes seconds.
      await nextTurn();
      signal.throwIfAborted();
    }
  }

  rows(table: TableLayout): AsyncIterable<RowTexts[]> {
    return sqliteRows(this.#connection, table);
  }

  async commit(): Promise<void> {
    const { file, folder, auditKeyFile, sessionKeyFile } = this.#place;
    const { audit, session } = this.#keys;
    this.#connection.exec("COMMIT");
    this.#connection.close();
    const copied: string[] = [];
    const copy = (to: string, key: Buffer | null) => {
      if (key === null) return;
      if (copyKey(to, key, this.#fillRandom)) copied.push(to);
      flushKey(to);
    };
    try {
      flushFileSync(draftOf(file));
      // The keys come first, because without them a new database would look like one that has lost
      // its keys.
      copy(auditKeyFile, audit);
      copy(sessionKeyFile, session);
      // An earlier database of this name may have left a copy of its head, which does not apply to
      // the new one.
      rmSync(headCopyOf(file), { force: true });
      renameSync(draftOf(file), file);
    } catch (error) {
      for (const key of copied) rmSync(key, { force: true });
      throw error;
    }
    try {
      flushFolderSync(folder);
    } catch (cause) {
      throw new CommitUnknown("the folder could not be flushed", { cause });
    }
  }

  async close(): Promise<void> {
    this.#connection.close();
    removeDraft(this.#place.file);
    this.#lock.release();
  }
}

/** Returns the newest move into the file, once it is durable; null if there is none, or no file. */
export async function findSqliteMove({ file, folder }: FilePlace): Promise<MoveReport | null> {
  if (sizeOf(file) === null) return null;
  // The commit may have ended before it flushed the folder.
  flushFolderSync(folder);
  requireDatabase(file);
  const connection = openReader(file);
  try {
    return await findMove(readerOf(connection));
  } finally {
    connection.close();
  }
}

function draftOf(file: string): string {
  return `${file}.moving`;
}

function removeDraft(file: string): void {
  for (const suffix of ["-journal", "-wal", "-shm", ""]) {
    rmSync(draftOf(file) + suffix, { force: true });
  }
}

function refuseExisting(file: string): void {
  if (sizeOf(file) !== null) throw notEmpty(file, "the file exists");
  // A log beside the wrong database would destroy that database.
  const log = ["-wal", "-journal"].find((suffix) => existsSync(file + suffix));
  if (log !== undefined)
    throw notEmpty(file, `the log of a database exists (${basename(file)}${log})`);
}

function makeRoom(file: string): void {
  try {
    makeFolder(dirname(file), 0o700);
    requireOwnFolder(file);
  } catch (error) {
    throw systemRefusal(file, error);
  }
}

/** Creates a file with the schema. Returns a connection in a transaction. */
function create(draft: string, now: number): SqliteConnection {
  rmSync(draft, { force: true });
  makeEmptyFile(draft);
  const connection = new BetterSqlite3(draft);
  try {
    connection.pragma(`application_id = ${applicationId}`);
    connection.pragma("journal_mode = OFF");
    connection.pragma("synchronous = OFF");
    connection.pragma("foreign_keys = ON");
    connection.pragma("trusted_schema = OFF");
    connection.pragma("cache_size = -65536");
    migrate(connection, () => now, loadMigrations(), true);
    connection.exec("BEGIN IMMEDIATE");
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Drops all indexes. Returns the SQL that creates them again. */
function dropIndexes(connection: SqliteConnection): string[] {
  const all = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
    .all() as { name: string; sql: string }[];
  for (const { name } of all) connection.exec(`DROP INDEX ${name}`);
  return all.map(({ sql }) => sql);
}
