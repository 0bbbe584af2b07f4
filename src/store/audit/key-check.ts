// Checks that the key belongs to a database's audit trail before anything is written. A row that is
// chained with another key cannot be repaired.

import { createSecretKey, type KeyObject } from "node:crypto";
import { existsSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { AppError } from "../../domain/errors.ts";
import type { Place } from "../../domain/storage/place.ts";
import type { Reader, Tx } from "../database.ts";
import { checkHeader, type SqliteConnection } from "../engine/sqlite/file.ts";
import { readerOf } from "../engine/sqlite/statements.ts";
import { loadKey } from "../files/key-files.ts";
import { auditHead, readAuditEvents } from "./audit-events.ts";
import { genesis } from "./chain-hash.ts";
import { isSignatureValid, markWithKey, newestCheckpoint, readSignedHead } from "./signatures.ts";
import { follows } from "./verify-chain.ts";

/**
 * How many of the newest rows are checked. One is not enough, because someone may have changed it.
 */
const rowsLookedAt = 20;

/**
 * Throws AppError UNAVAILABLE if the database has an audit trail whose key is missing or wrong.
 * Ignores unreadable files, because opening them fails later.
 */
export async function requireAuditKey(
  file: string,
  auditKeyFile: string,
  busyTimeoutMs: number,
): Promise<void> {
  const connection = openToLook(file, busyTimeoutMs);
  if (!connection) return;
  try {
    await requireKeyOfTrail(readerOf(connection), { auditKeyFile, name: file });
  } finally {
    connection.close();
  }
}

type KeyPlace = Pick<Place, "auditKeyFile" | "name">;

/** Throws AppError UNAVAILABLE if there is a trail whose key is missing or wrong. */
export async function requireKeyOfTrail(db: Reader, place: KeyPlace): Promise<void> {
  if (!(await hasTrail(db))) return;
  const key = createSecretKey(loadKey(place.auditKeyFile));
  if (!(await isKeyOf(db, key))) throw notTheKey(place);
}

/**
 * Like `requireKeyOfTrail`, but in a transaction. If the trail is still empty, marks the database
 * with the key. A server that starts at the same time with another key is then refused.
 */
export async function claimTrail(tx: Tx, place: KeyPlace): Promise<void> {
  const key = createSecretKey(loadKey(place.auditKeyFile));
  if (await auditHead(tx)) {
    if (!(await isKeyOf(tx, key))) throw notTheKey(place);
  } else if (!(await markWithKey(tx, key))) throw notTheKey(place);
}

function notTheKey({ auditKeyFile, name }: KeyPlace): AppError {
  return new AppError(
    "UNAVAILABLE",
    `Cannot use the key file ${auditKeyFile}: it is not the key of the audit trail in ${name}. Use the ` +
      "key that belongs to this database, or the database that belongs to this key.",
  );
}

function openToLook(file: string, busyTimeoutMs: number): SqliteConnection | null {
  try {
    if (!existsSync(file)) return null;
    checkHeader(file);
    // A writable connection would merge an existing write-ahead log when it is closed.
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

/**
 * Returns true if any part was made with this key, because the other parts may have been changed.
 */
async function isKeyOf(db: Reader, key: KeyObject): Promise<boolean> {
  const signed = await readSignedHead(db);
  if (signed && isSignatureValid(key, "head", signed)) return true;
  const checkpoint = await newestCheckpoint(db);
  if (checkpoint && isSignatureValid(key, "checkpoint", checkpoint)) return true;
  const upTo = (await auditHead(db))?.seq ?? 0;
  const rows = await readAuditEvents(db, { after: upTo - rowsLookedAt, upTo }, rowsLookedAt);
  return rows.some((row, index) => follows(key, rows[index - 1] ?? genesis, row));
}
