// Databases for test apps on SQLite. They are emptied and used again, because opening one and
// compiling its statements takes most of the time of a short test.

import { randomBytes } from "node:crypto";
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setImmediate as turnOfEventLoop } from "node:timers/promises";
import { inject } from "vitest";
import { SqliteDatabase } from "../../src/store/engine/sqlite/database.ts";
import { type DatabaseLock, shareDatabase } from "../../src/store/engine/sqlite/database-lock.ts";
import {
  openReader,
  openWriter,
  type SqliteConnection,
} from "../../src/store/engine/sqlite/file.ts";
import type { OpenedDatabase } from "../../src/store/engine/sqlite/open.ts";
import { WalFile } from "../../src/store/engine/sqlite/wal-file.ts";
import { atEnd } from "./lifetime.ts";

const busyTimeoutMs = 5000;

/** The databases of data folders, until the end of the test. */
const used = new Map<string, EmptyDatabase>();
const free: EmptyDatabase[] = [];

/** Returns a data folder with an empty database, until the end of the test. */
export function sqliteFolder(): string {
  const found = free.pop() ?? new EmptyDatabase();
  used.set(found.folder, found);
  atEnd(() => {
    used.delete(found.folder);
    if (found.empty()) free.push(found);
    else found.remove();
  });
  return found.folder;
}

/** Opens the database of a data folder, and returns null if it was opened before. */
export function openSqliteFor(folder: string, now: () => number): OpenedDatabase | null {
  return used.get(folder)?.open(now) ?? null;
}

/** Keeps the database open when its app closes, because another test can use it. */
export function keepSqlite(folder: string): void {
  used.get(folder)?.keep();
}

/**
 * All changes stay in the write-ahead log until a checkpoint moves them into the file. Until then,
 * the file without its log is still the empty database. A database that a test has closed, moved or
 * replaced is not used again. Nor is one without SQLite's locks, which a process loses when it
 * closes any descriptor of the file: another process would delete the log.
 */
class EmptyDatabase {
  readonly folder = mkdtempSync(join(dirname(inject("templateDatabase")), "app-"));
  readonly #file = join(this.folder, "platform.db");
  readonly #writer: SqliteConnection;
  readonly #reader: SqliteConnection;
  readonly #lock: DatabaseLock;
  /**
   * Stays open until SQLite has closed the file, because closing it earlier drops SQLite's locks.
   */
  readonly #index: number;
  readonly #before: string;
  /** The system's file that shows SQLite's locks, or null if there is none. */
  readonly #locks: string | null;
  #isOpened = false;
  #isKept = false;

  constructor() {
    copyFileSync(inject("templateDatabase"), this.#file);
    for (const name of keys) {
      const key = randomBytes(32).toString("base64");
      writeFileSync(join(this.folder, name), `${key}\n`, { mode: 0o600 });
    }
    this.#lock = shareDatabase(this.#file, busyTimeoutMs);
    this.#writer = this.#lasting(openWriter({ file: this.#file, busyTimeoutMs, create: true }));
    this.#reader = this.#lasting(openReader(this.#file, busyTimeoutMs));
    this.#index = openSync(`${this.#file}-shm`, "r+");
    this.#before = this.#state();
    this.#locks = locksOf(this.#file);
  }

  open(now: () => number): OpenedDatabase | null {
    if (this.#isOpened) return null;
    this.#isOpened = true;
    this.#isKept = false;
    const database = new SqliteDatabase(this.#writer, {
      busyTimeoutMs,
      now,
      reader: this.#reader,
      log: new MemoryLog(this.#file),
    });
    database.releaseAtEnd({ release: () => this.#isKept || this.#lock.release() });
    return { database, migrated: [], hasHistory: false, isNew: true, restoreUndone: false };
  }

  keep(): void {
    this.#isKept = true;
  }

  /** Returns whether the database is now as it was before it was opened. */
  empty(): boolean {
    if (!this.#isKept || !this.#writer.open || this.#writer.inTransaction) return false;
    if (this.#state() !== this.#before || !this.#isLocked()) return false;
    for (const name of readdirSync(this.folder)) {
      if (!kept.includes(name)) rmSync(join(this.folder, name), { recursive: true });
    }
    // SQLite reads the log again if the header of its index is invalid, as after a crash.
    truncateSync(`${this.#file}-wal`);
    writeSync(this.#index, Buffer.alloc(indexHeaderBytes), 0, indexHeaderBytes, 0);
    this.#isOpened = false;
    return true;
  }

  remove(): void {
    this.#isKept = false;
    if (this.#writer.open) {
      this.#reader.close();
      this.#writer.close();
      this.#lock.release();
    }
    closeSync(this.#index);
    rmSync(this.folder, { recursive: true, force: true });
  }

  #isLocked(): boolean {
    return this.#locks === null || readFileSync(this.#locks, "utf8").includes("lock:");
  }

  /**
   * Changes if the files are replaced or moved, or if something changes the database file itself.
   */
  #state(): string {
    const schema = this.#writer.prepare("PRAGMA schema_version").pluck().get();
    const identities = kept.map((name) => {
      const found = statSync(join(this.folder, name), { bigint: true, throwIfNoEntry: false });
      return unchanged.includes(name)
        ? [found?.ino, found?.ctimeNs]
        : [found?.ino, found?.mode, found?.uid];
    });
    const { mode, uid } = statSync(this.folder);
    return [schema, mode, uid, ...identities.flat()].join();
  }

  /** Makes a connection keep compiled statements, and stay open while the database is kept. */
  #lasting(connection: SqliteConnection): SqliteConnection {
    const { prepare, close } = connection;
    const statements = new Map<string, ReturnType<SqliteConnection["prepare"]>>();
    const compile = prepare.bind(connection);
    connection.prepare = ((sql: string) => {
      // The callers change how these statements return their rows.
      if (sql.startsWith("PRAGMA")) return compile(sql);
      const known = statements.get(sql);
      if (known) return known;
      const compiled = compile(sql);
      statements.set(sql, compiled);
      return compiled;
    }) as SqliteConnection["prepare"];
    connection.close = () => (this.#isKept ? connection : close.call(connection));
    return connection;
  }
}

/** Finds SQLite's descriptor of the file, which shows the locks on Linux. */
function locksOf(file: string): string | null {
  if (!existsSync("/proc/self/fdinfo")) return null;
  const { dev, ino } = statSync(file);
  for (const fd of readdirSync("/proc/self/fd")) {
    const opened = statSync(`/proc/self/fd/${fd}`, { throwIfNoEntry: false });
    const info = `/proc/self/fdinfo/${fd}`;
    const isFile = opened?.dev === dev && opened.ino === ino;
    if (isFile && readFileSync(info, "utf8").includes("lock:")) return info;
  }
  return null;
}

const keys = ["audit.key", "session.key"];
/** If a test changes one of these, the database is not used again. */
const unchanged = ["platform.db", ...keys];
/** These files, the log, its index and the lock stay in the folder. Others are removed. */
const kept = [...unchanged, "platform.db-wal", "platform.db-shm", "platform.db.lock"];

/** The length in bytes of both copies of the header, and of the checkpoint information. */
const indexHeaderBytes = 136;

/**
 * Does not flush, because the folder is in memory and Node.js would use another thread. Still takes
 * a turn of the event loop, as a flush to a disk would. `store/engine/sqlite/flush.test.ts` and
 * `e2e/storage` test flushing.
 */
class MemoryLog extends WalFile {
  override async flush(): Promise<void> {
    await turnOfEventLoop();
  }
}
