// Makes a consistent copy of a database file that may be in use, and checks it: only a sound copy with
// an unbroken audit chain is good. Blocks for as long as that takes: runs in a process of its own.
// (`trust.md` "Storage rules")

import { createHash, createSecretKey, type KeyObject } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type { CopyReport, CopyRequest } from "../domain/backups.ts";
import { AppError } from "../domain/errors.ts";
import { type AuditRow, chainHash, columns, genesis, toAuditEvent } from "./audit-events.ts";
import { loadKey } from "./key-files.ts";
import { type Connection, openReader } from "./sqlite-file.ts";

/** How long the first look at the file waits for a lock; a copy never waits for writers. */
const busyTimeoutMs = 5000;
const chunkBytes = 1024 * 1024;

/**
 * Copies what is committed now; readable by the owner alone. Throws AppError UNAVAILABLE when the copy
 * cannot be made or is no good; what there is of it stays where it is.
 */
export function copyDatabase({ from, to, auditKeyFile }: CopyRequest): CopyReport {
  const key = createSecretKey(loadKey(auditKeyFile));
  explained("cannot be made", () => copyInto(from, to));
  const auditHead = explained("is no good", () => check(to, key));
  return { ...explained("cannot be read", () => digestOf(to)), auditHead };
}

function explained<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new AppError("UNAVAILABLE", `The copy of the database ${what}: ${message}.`, {
      cause: error,
    });
  }
}

function copyInto(from: string, to: string): void {
  closeSync(openSync(to, "wx", 0o600));
  using(openReader(from, busyTimeoutMs), (live) => live.prepare("VACUUM INTO ?").run(to));
}

/** Answers the newest row of the audit chain. */
function check(file: string, key: KeyObject): CopyReport["auditHead"] {
  // Of a connection that may only read, SQLite leaves out the CHECK constraints.
  return using(new BetterSqlite3(file, { fileMustExist: true }), (copy) => {
    const problem = copy.prepare("PRAGMA integrity_check(1)").pluck().get();
    if (problem !== "ok") throw new Error(String(problem).replace(/\s+/g, " "));
    const orphan = copy.prepare("PRAGMA foreign_key_check").get() as { table: string } | undefined;
    if (orphan) throw new Error(`a row of ${orphan.table} refers to one that is not there`);
    return walkAuditChain(copy, key);
  });
}

/** Answers the newest row. A trail that was pruned begins behind a checkpoint. */
function walkAuditChain(copy: Connection, key: KeyObject): CopyReport["auditHead"] {
  const checkpoints = copy.prepare("SELECT seq, hash FROM audit_checkpoints ORDER BY seq");
  const known = new Map(checkpoints.raw().all() as [seq: number, hash: string][]);
  let head: CopyReport["auditHead"] | null = null;
  for (const row of copy.prepare(`SELECT ${columns} FROM audit_events ORDER BY seq`).iterate()) {
    const { seq, hash, ...event } = toAuditEvent(row as AuditRow);
    const before = head?.hash ?? (seq === 1 ? genesis : known.get(seq - 1));
    if (before === undefined || chainHash(key, before, seq, event) !== hash) {
      throw new Error(
        `its audit chain is broken at row ${seq}; GET /api/admin/audit-events/verify tells more`,
      );
    }
    head = { seq, hash };
  }
  if (head) return head;
  const [seq, hash] = [...known].at(-1) ?? [0, genesis];
  return { seq, hash };
}

function digestOf(file: string): Pick<CopyReport, "sizeBytes" | "sha256"> {
  const digest = createHash("sha256");
  const chunk = Buffer.alloc(chunkBytes);
  const descriptor = openSync(file, "r");
  let sizeBytes = 0;
  try {
    let length: number;
    do {
      length = readSync(descriptor, chunk, 0, chunkBytes, null);
      digest.update(chunk.subarray(0, length));
      sizeBytes += length;
    } while (length > 0);
  } finally {
    closeSync(descriptor);
  }
  return { sizeBytes, sha256: digest.digest("hex") };
}

function using<T>(connection: Connection, work: (connection: Connection) => T): T {
  try {
    return work(connection);
  } finally {
    connection.close();
  }
}
