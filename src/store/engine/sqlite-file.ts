// Opens a SQLite file the way this service needs it, or says why it will not.
// Never creates over, repairs or touches a file that is not a sound database of ours.
// (docs/decisions/0004-database-file.md)

import { closeSync, existsSync, openSync, readSync, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { AppError } from "../../domain/errors.ts";
import { userName } from "../../lib/files/accounts.ts";
import { makeEmptyFile } from "../../lib/files/empty-file.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { requireOwnFolder } from "../files/ownership.ts";

export type Connection = BetterSqlite3.Database;

/** Older releases may corrupt a WAL that two processes share. */
export const oldestSqlite = "3.51.3";
/** "PLAT" in the file's header: this file is ours. */
export const applicationId = 0x504c4154;

export interface OpenOptions {
  file: string;
  /** How long a write waits for another process's transaction, in milliseconds. */
  busyTimeoutMs: number;
  /** Whether an absent file is made (0600, in a folder of 0700) or refused. */
  create: boolean;
}

/** Opens the writing connection. Throws AppError UNAVAILABLE that names the file and the reason. */
export function openWriter(options: OpenOptions): Connection {
  const { file } = options;
  const isNew = requireFile(options);
  let connection: Connection | null = null;
  try {
    connection = new BetterSqlite3(file, { timeout: options.busyTimeoutMs });
    checkVersion(connection);
    // Before WAL mode, so that it stands in the file itself and checkHeader finds it ever after.
    if (isNew) connection.pragma(`application_id = ${applicationId}`);
    writeAhead(connection);
    connection.pragma("synchronous = FULL");
    connection.pragma("foreign_keys = ON");
    connection.pragma("trusted_schema = OFF");
    connection.pragma("cache_size = -65536");
    connection.pragma("wal_autocheckpoint = 4000");
    connection.pragma("temp_store = MEMORY");
    // What was deleted, such as the secrets of a command, is overwritten. Deleting 100,000 rows of the
    // audit trail was measured to take no longer.
    connection.pragma("secure_delete = ON");
    return connection;
  } catch (error) {
    connection?.close();
    if (error instanceof AppError) throw error;
    throw refusal(file, (error as Error).message, error);
  }
}

/**
 * SQLite does not wait by itself when two programs change the mode of a new file at once: it says that
 * the file is locked. For the lock that is in the way it does wait.
 */
function writeAhead(connection: Connection): void {
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
 * Makes an absent file or refuses it, as wanted; refuses what is not ours, and to begin anew where something was
 * lost. Answers whether it is new.
 */
export function requireFile({ file, create }: Pick<OpenOptions, "file" | "create">): boolean {
  const size = sizeOf(file);
  if (size === null && !create) throw refusal(file, isMissing);
  if (!size) refuseLost(file, size);
  if (size === null) createFile(file);
  if (size || !create) checkHeader(file);
  return !size;
}

/** A database is made before its keys, and a log comes after both: what has them was in use. */
function refuseLost(file: string, size: number | null): void {
  const folder = dirname(file);
  const log = `${file}-wal`;
  const keys = ["audit.key", "session.key"].map((name) => join(folder, name)).filter(existsSync);
  const left = [...(sizeOf(log) ? [log] : []), ...keys];
  if (left.length === 0) return;
  const state = size === null ? "there is no such file" : "it is empty (0 bytes)";
  throw refusal(
    file,
    `${state}, but ${left.join(" and ")} ${left.length === 1 ? "shows" : "show"} that there was a ` +
      "database. Find it, or put a backup in its place: platform restore FILE. To begin with an empty " +
      `one instead, move ${left.length === 1 ? "that file" : "those files"} away first`,
  );
}

/** A second connection that only reads: a snapshot of what is committed. */
export function openReader(file: string, busyTimeoutMs: number): Connection {
  const connection = new BetterSqlite3(file, {
    readonly: true,
    fileMustExist: true,
    timeout: busyTimeoutMs,
  });
  connection.pragma("cache_size = -65536");
  return connection;
}

/** The same for what the system said, in words that help. */
export function systemRefusal(file: string, error: unknown): AppError {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EISDIR") return refusal(file, isFolder, error);
  if (code !== "EACCES" && code !== "EPERM") return refusal(file, message, error);
  const owner = ownerOf(file);
  const advice =
    owner === null
      ? "run this as the user that it belongs to"
      : `it belongs to the user ${userName(owner)}: run this as that user, such as ` +
        `sudo -u '${userName(owner)}' platform …`;
  return refusal(file, `permission denied; ${advice}`, error);
}

/** Of the file, or of the folder that hides it; null when that is who asks. */
function ownerOf(path: string): number | null {
  let stats: Stats | undefined;
  try {
    stats = statSync(path, { throwIfNoEntry: false });
  } catch {
    // It cannot be looked at.
  }
  if (stats) return stats.uid === process.geteuid?.() ? null : stats.uid;
  return dirname(path) === path ? null : ownerOf(dirname(path));
}

const isMissing = "there is no such file; `platform serve` makes one";
const isFolder = "it is a folder: name the database file in it, such as platform.db";

export function refusal(file: string, reason: string, cause?: unknown): AppError {
  return new AppError("UNAVAILABLE", `Cannot open the database ${file}: ${reason}.`, { cause });
}

/** Compares dotted versions: negative when `a` is older. */
export function compareVersions(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Null when there is no such file. Throws AppError UNAVAILABLE for what is none, or cannot be looked at. */
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

function checkVersion(connection: Connection): void {
  const version = connection.prepare("SELECT sqlite_version()").pluck().get() as string;
  if (compareVersions(version, oldestSqlite) < 0) {
    throw refusal(
      connection.name,
      `this SQLite is ${version}, and ${oldestSqlite} or newer is needed`,
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

/** Refuses a file that is not there, or is no database of ours. */
export function requireDatabase(file: string): void {
  const size = sizeOf(file);
  if (size === null) throw refusal(file, isMissing);
  checkHeader(file);
}

/** Looks at the first 100 bytes before SQLite does, so that a wrong file is left as it is. */
export function checkHeader(file: string): void {
  const header = Buffer.alloc(100);
  let length: number;
  let hasLog: boolean;
  let size: number;
  try {
    const descriptor = openSync(file, "r");
    length = readSync(descriptor, header, 0, 100, 0);
    closeSync(descriptor);
    // In this order: who closes it at this moment first brings the file to its size, then drops the log.
    hasLog = existsSync(`${file}-wal`);
    size = statSync(file).size;
  } catch (error) {
    throw systemRefusal(file, error);
  }
  if (length === 0) throw refusal(file, "it is empty (0 bytes)");
  if (length < 100 || header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw refusal(file, "it is not a SQLite database");
  }
  if (header.readUInt32BE(68) !== applicationId) {
    throw refusal(file, "it belongs to another program");
  }
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  if (size < pageSize * pages && !hasLog) {
    throw refusal(file, `it is truncated: ${size} of ${pageSize * pages} bytes are there`);
  }
}
