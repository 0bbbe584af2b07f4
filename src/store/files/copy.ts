// Makes a consistent copy of a database that may be in use, and verifies it. Runs in a child
// process because it blocks. (docs/decisions/0014-child-processes.md)

import { createSecretKey } from "node:crypto";
import { closeSync, fdatasyncSync, openSync, statSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import { AppError } from "../../domain/errors.ts";
import type { CopyReport, CopyRequest } from "../../domain/storage/backups.ts";
import { sha256OfFile } from "../../lib/files/sha256.ts";
import { headCopyOf, readHeadCopy } from "../audit/head-copy.ts";
import type { Reader } from "../database.ts";
import { openReader } from "../engine/sqlite/file.ts";
import { readerOf } from "../engine/sqlite/statements.ts";
import { checkTrail, damageOf } from "./check.ts";
import { loadKey } from "./key-files.ts";

/** The number of pages per step of the copy. Each step is on disk before the next one begins. */
const stepPages = 256;
/** How long the copy pauses after each step, as a multiple of the time that the step took. */
const pauseRatio = 1;

/**
 * Copies the committed data to a file with mode 0600. Throws AppError UNAVAILABLE if this fails or
 * SQLite finds damage, and leaves the incomplete file in place.
 */
export async function copyDatabase(request: CopyRequest): Promise<CopyReport> {
  const { from, to, auditKeyFile } = request;
  const key = createSecretKey(loadKey(auditKeyFile));
  const trail = { auditKey: key, auditHeadFile: headCopyOf(from) };
  // The head's copy is read first, because later it may name a row that the database's copy lacks.
  const headCopy = readHeadCopy(trail.auditHeadFile) ?? null;
  await explained("cannot be made", () => copyInto(from, to));
  const audit = await explained("failed verification", () =>
    check(to, (copy) => checkTrail(copy, trail, headCopy)),
  );
  const digest = await explained("cannot be read", async () => {
    return { sizeBytes: statSync(to).size, sha256: await sha256OfFile(to) };
  });
  return { ...digest, audit };
}

async function explained<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    throw new AppError("UNAVAILABLE", `The copy of the database ${what}: ${message}.`, {
      cause: error,
    });
  }
}

/**
 * Copies the pages as they are when this begins: the open read transaction keeps that state. The
 * small steps leave half of the disk's time to the server, whose writes wait for the same disk.
 */
async function copyInto(from: string, to: string): Promise<void> {
  const file = openSync(to, "wx", 0o600);
  const live = openReader(from);
  try {
    live.exec("BEGIN; SELECT COUNT(*) FROM sqlite_schema");
    let begunAt = performance.now();
    await live.backup(to, {
      progress: () => {
        fdatasyncSync(file);
        sleep((performance.now() - begunAt) * pauseRatio);
        begunAt = performance.now();
        return stepPages;
      },
    });
  } finally {
    live.close();
    closeSync(file);
  }
}

/** Blocks this process, which does nothing else. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

async function check<T>(file: string, checkRows: (copy: Reader) => Promise<T>): Promise<T> {
  // SQLite skips CHECK constraints on a read-only connection.
  const copy = new BetterSqlite3(file, { fileMustExist: true });
  try {
    // The copy can then be read from a folder in which no file can be created.
    copy.pragma("journal_mode = DELETE");
    const damage = damageOf(copy, true);
    if (damage !== null) throw new Error(damage);
    return await checkRows(readerOf(copy));
  } finally {
    copy.close();
  }
}
