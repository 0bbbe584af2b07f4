// Is the key of a database's audit trail beside it? Told before the file is opened for work: opening turns
// even a backup that somebody only looks at into a database that is worked on; and a row that was chained
// with another key can never be put right.

import { createSecretKey, type KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { AppError } from "../../domain/errors.ts";
import type { Reader } from "../database.ts";
import { type Connection, checkHeader } from "../engine/sqlite-file.ts";
import { readerOf } from "../engine/statements.ts";
import { loadKey } from "../files/key-files.ts";
import { auditHead, genesis, readAuditEvents } from "./audit-events.ts";
import { isGenuine, newestCheckpoint, readSignedHead } from "./signatures.ts";
import { follows } from "./verify-chain.ts";

/** So many of the newest rows may have been changed before the key itself is doubted. */
const rowsLookedAt = 20;

/**
 * Throws AppError UNAVAILABLE when the database has an audit trail and its key is missing, cannot be used, or is
 * another trail's. Changes nothing, and says nothing of a file that cannot be read: who opens it will.
 */
export async function requireAuditKey(
  file: string,
  auditKeyFile: string,
  busyTimeoutMs: number,
): Promise<void> {
  const connection = openToLook(file, busyTimeoutMs);
  if (!connection) return;
  try {
    const db = readerOf(connection);
    if (!(await hasTrail(db))) return;
    const key = createSecretKey(loadKey(auditKeyFile));
    if (await isKeyOf(db, key)) return;
    throw new AppError(
      "UNAVAILABLE",
      `Cannot use the key file ${auditKeyFile}: it is not the key of the audit trail in ${file}. Bring the ` +
        "key that belongs to this database, or the database that belongs to this key.",
    );
  } finally {
    connection.close();
  }
}

/** Null when it cannot be opened. */
function openToLook(file: string, busyTimeoutMs: number): Connection | null {
  try {
    if (!existsSync(file)) return null;
    checkHeader(file);
    // SQLite closes without a trace what could be written; but a log that is there it would fold in.
    const readonly = existsSync(`${file}-wal`);
    return new BetterSqlite3(file, { readonly, fileMustExist: true, timeout: busyTimeoutMs });
  } catch {
    return null;
  }
}

async function hasTrail(db: Reader): Promise<boolean> {
  try {
    return (await auditHead(db)) !== undefined;
  } catch {
    return false;
  }
}

/** Whether anything that only the key can have made is in the trail. A changed row is no sign of another key. */
async function isKeyOf(db: Reader, key: KeyObject): Promise<boolean> {
  const signed = await readSignedHead(db);
  if (signed && isGenuine(key, "head", signed)) return true;
  const checkpoint = await newestCheckpoint(db);
  if (checkpoint && isGenuine(key, "checkpoint", checkpoint)) return true;
  const upTo = (await auditHead(db))?.seq ?? 0;
  const rows = await readAuditEvents(db, { after: upTo - rowsLookedAt, upTo }, rowsLookedAt);
  return rows.some((row, index) => follows(key, rows[index - 1] ?? genesis, row));
}
