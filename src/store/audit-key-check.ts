// Is the key of a database's audit trail beside it? Told before the file is opened for work: opening turns
// even a backup that somebody only looks at into a database that is worked on.

import { existsSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { loadKey } from "./key-files.ts";
import { checkHeader } from "./sqlite-file.ts";

/**
 * Throws AppError UNAVAILABLE when the database has an audit trail and its key cannot be used. Changes
 * nothing, and says nothing of a file that cannot be read: who opens it will.
 */
export function requireAuditKey(file: string, auditKeyFile: string, busyTimeoutMs: number): void {
  try {
    loadKey(auditKeyFile);
  } catch (error) {
    if (hasTrail(file, busyTimeoutMs)) throw error;
  }
}

function hasTrail(file: string, busyTimeoutMs: number): boolean {
  if (!existsSync(file)) return false;
  try {
    checkHeader(file);
    // SQLite closes without a trace what could be written; but a log that is there it would fold in.
    const readonly = existsSync(`${file}-wal`);
    const options = { readonly, fileMustExist: true, timeout: busyTimeoutMs };
    const connection = new BetterSqlite3(file, options);
    try {
      return connection.prepare("SELECT MAX(seq) FROM audit_events").pluck().get() !== null;
    } finally {
      connection.close();
    }
  } catch {
    return false;
  }
}
