// Opens SQLite files, or refuses them with the reason. Never changes a file that is not an intact
// database of this program. (docs/decisions/0004-database-file.md)

import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { AppError } from "../../../domain/errors.ts";
import { userName } from "../../../lib/files/accounts.ts";
import { makeEmptyFile } from "../../../lib/files/empty-file.ts";
import { makeFolder } from "../../../lib/files/make-folder.ts";
import { headCopyOf } from "../../audit/head-copy.ts";
import { requireOwnFolder } from "../../files/ownership.ts";
import { storageReasonOf } from "../storage-errors.ts";

export type SqliteConnection = BetterSqlite3.Database;

/** Older releases can corrupt a WAL that two processes share. */
const oldestSqlite = "3.51.3";
/** "PLAT" in the file's header identifies databases of this program. */
export const applicationId = 0x504c4154;

interface OpenOptions {
  file: string;
  /** How long a write waits for another process's transaction, in milliseconds. */
  busyTimeoutMs: number;
  /** Whether to create a missing file (mode 0600, in a folder with mode 0700). */
  create: boolean;
}

/**
 * If the file cannot be opened, throws AppError UNAVAILABLE, which names the file and the reason.
 */
export function openWriter(options: OpenOptions): SqliteConnection {
  const { file } = options;
  const isNew = requireFile(options);
  let connection: SqliteConnection | null = null;
  try {
    connection = new BetterSqlite3(file, { timeout: options.busyTimeoutMs });
    checkVersion(connection);
    // This precedes WAL mode, so that the id is in the file itself and not only in the log.
    if (isNew) connection.pragma(`application_id = ${applicationId}`);
    writeAhead(connection);
    connection.pragma("synchronous = FULL");
    connection.pragma("foreign_keys = ON");
    connection.pragma("trusted_schema = OFF");
    connection.pragma("cache_size = -32768");
    connection.pragma("wal_autocheckpoint = 4000");
    connection.pragma("temp_store = MEMORY");
    // Overwrites deleted secrets. Deleting 100,000 audit rows takes no longer with this setting.
    connection.pragma("secure_delete = ON");
    return connection;
  } catch (error) {
    connection?.close();
    throw cannotOpen(file, error);
  }
}

/**
 * If two programs set WAL mode on a new file at once, SQLite reports a locked file without waiting.
 * Taking the exclusive lock first does wait.
 */
function writeAhead(connection: SqliteConnection): void {
  while (true) {
    try {
      connection.pragma("journal_mode = WAL");
      return;
    } catch (error) {
      if ((error as { code?: unknown }).code !== "SQLITE_BUSY") throw error;
    }
    connection.exec("BEGIN EXCLUSIVE; COMMIT");
  }
}

/**
 * Refuses other programs' files, and a missing or empty file where a database existed. Returns
 * whether the file is new.
 */
export function requireFile({ file, create }: Pick<OpenOptions, "file" | "create">): boolean {
  const size = sizeOf(file);
  const isMistyped = size === null && !create && isBesideDatabase(file);
  if (!size && !isMistyped) refuseLost(file, size);
  if (size === null && !create) throw refusal(file, isMissing);
  if (size === null) createFile(file);
  if (size || !create) checkHeader(file);
  return !size;
}

/** The database is created before these files, so each of them shows that a database existed. */
function refuseLost(file: string, size: number | null): void {
  const folder = dirname(file);
  const log = `${file}-wal`;
  const others = [join(folder, "audit.key"), join(folder, "session.key"), headCopyOf(file)];
  const left = [...(sizeOf(log) ? [log] : []), ...others.filter(existsSync)];
  if (left.length === 0) return;
  // Another program may have created the database since its size was read.
  if (sizeOf(file)) return;
  const state = size === null ? "there is no such file" : "it is empty (0 bytes)";
  throw refusal(
    file,
    `${state}, but ${left.join(" and ")} ${left.length === 1 ? "shows" : "show"} that a database ` +
      "existed. Find it, or restore a backup: platform restore FILE. To start with an empty database " +
      `instead, move ${left.length === 1 ? "that file" : "those files"} away first`,
  );
}

/** Whether the folder contains another database, to which its keys may belong. */
function isBesideDatabase(file: string): boolean {
  const isDatabase = (name: string) => name.endsWith(".db") && name !== basename(file);
  try {
    return readdirSync(dirname(file)).some(isDatabase);
  } catch {
    return false;
  }
}

/** Opens a read-only connection. Only the first read may wait for a lock. */
export function openReader(file: string, busyTimeoutMs = 5000): SqliteConnection {
  const connection = new BetterSqlite3(file, {
    readonly: true,
    fileMustExist: true,
    timeout: busyTimeoutMs,
  });
  connection.pragma("cache_size = -65536");
  return connection;
}

/** Opens a connection that only moves the log of another process's connection into the file. */
export function openCheckpointer(file: string, busyTimeoutMs: number): SqliteConnection {
  const connection = new BetterSqlite3(file, { fileMustExist: true, timeout: busyTimeoutMs });
  connection.pragma("synchronous = NORMAL");
  return connection;
}

export function systemRefusal(file: string, error: unknown): AppError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return refusal(file, isFolder, error);
  if (code !== "EACCES" && code !== "EPERM") return refusal(file, message, error);
  const owner = ownerOf(file);
  const advice =
    owner === null
      ? "run this as its owner"
      : `it belongs to the user ${userName(owner)}: run this as that user, for example ` +
        `sudo -u '${userName(owner)}' platform …`;
  return refusal(file, `permission denied; ${advice}`, error);
}

/** Returns the owner of the file, or of the folder that hides it; null for the current user. */
function ownerOf(path: string): number | null {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch {
    // The file cannot be accessed, so its folder decides.
  }
  if (stats) return stats.uid === process.geteuid?.() ? null : stats.uid;
  return dirname(path) === path ? null : ownerOf(dirname(path));
}

const isMissing = "there is no such file; `platform serve` creates one";
const isFolder = "it is a folder: name the database file in it, such as platform.db";

export function refusal(file: string, reason: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", `Cannot open the database ${file}: ${reason}.`, { cause });
}

/** Also says what to do about a damaged file. */
export function cannotOpen(file: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { message } = error as Error;
  if (storageReasonOf(error) !== "DAMAGED") return refusal(file, message, error);
  const advice =
    "restore a backup (platform restore FILE), or examine it with platform doctor --deep";
  return refusal(file, `it is damaged (${message}): ${advice}`, error);
}

/** Compares dotted versions. Returns a negative number if `a` is older. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns null for a missing file. Throws AppError UNAVAILABLE for anything but a regular file. */
export function sizeOf(file: string): number | null {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw systemRefusal(file, error);
  }
  if (stats?.isDirectory()) throw refusal(file, isFolder);
  if (stats && !stats.isFile()) throw refusal(file, "it is not a regular file");
  return stats?.size ?? null;
}

function checkVersion(connection: SqliteConnection): void {
  const version = connection.prepare("SELECT sqlite_version()").pluck().get() as string;
  if (compareVersions(version, oldestSqlite) < 0) {
    throw refusal(
      connection.name,
      `this SQLite is ${version}, but ${oldestSqlite} or newer is required`,
    );
  }
}

function createFile(file: string): void {
  try {
    makeFolder(dirname(file), 0o700);
    requireOwnFolder(file);
    makeEmptyFile(file);
  } catch (error) {
    throw systemRefusal(file, error);
  }
}

/** Throws if the file does not exist or is not a database of this program. */
export function requireDatabase(file: string): void {
  const size = sizeOf(file);
  if (size === null) throw refusal(file, isMissing);
  checkHeader(file);
}

/** Reads the file before SQLite opens it, so that a wrong file stays unchanged. */
export function checkHeader(file: string): void {
  const header = Buffer.alloc(100);
  let length: number;
  let hasLog: boolean;
  let size: number;
  try {
    const descriptor = openSync(file, "r");
    length = readSync(descriptor, header, 0, 100, 0);
    closeSync(descriptor);
    // Closing a database grows the file before it deletes the log, so the log is checked first.
    hasLog = existsSync(`${file}-wal`);
    size = statSync(file).size;
  } catch (error) {
    throw systemRefusal(file, error);
  }
  if (length === 0) throw refusal(file, "it is empty (0 bytes)");
  if (length < 100 || header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw refusal(file, "it is not an SQLite database");
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw refusal(file, "it belongs to another program");
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  if (size < pageSize * pages && !hasLog) {
    throw refusal(file, `it is truncated: ${size} of ${pageSize * pages} bytes`);
  }
}
