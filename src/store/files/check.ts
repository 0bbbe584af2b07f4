// Checks a database and its audit chain without changing anything. Runs in a child process because
// it blocks. (docs/decisions/0014-child-processes.md)

import { createSecretKey } from "node:crypto";
import BetterSqlite3 from "better-sqlite3";
import type {
  AuditCheck,
  CheckReport,
  CheckRequest,
} from "../../domain/storage/database-checks.ts";
import { headCopyOf } from "../audit/head-copy.ts";
import type { SignedLink } from "../audit/signatures.ts";
import { signedHeadProblem, type TrailKeys } from "../audit/signed-head.ts";
import { walkTrail } from "../audit/verification.ts";
import type { Reader } from "../database.ts";
import { openReader, refusal, type SqliteConnection } from "../engine/sqlite/file.ts";
import { readerOf } from "../engine/sqlite/statements.ts";
import { loadKey } from "./key-files.ts";

/** Throws AppError UNAVAILABLE if the file cannot be opened or the key cannot be used. */
export async function checkDatabase(request: CheckRequest): Promise<CheckReport> {
  const { file, auditKeyFile, deep, draft } = request;
  const auditKey = auditKeyFile === null ? null : createSecretKey(loadKey(auditKeyFile));
  const connection = draft ? new BetterSqlite3(file, { fileMustExist: true }) : openReader(file);
  try {
    const damage = damageOf(connection, deep);
    const keys = auditKey && { auditKey, auditHeadFile: headCopyOf(file) };
    const audit = keys && damage === null ? await checkTrail(readerOf(connection), keys) : null;
    return { damage, audit };
  } catch (error) {
    throw refusal(file, (error as Error).message, error);
  } finally {
    connection.close();
  }
}

/** Returns SQLite's first problem as one line, or null if there is none. */
export function damageOf(connection: SqliteConnection, deep: boolean): string | null {
  try {
    const pragma = deep ? "integrity_check(1)" : "quick_check(1)";
    const problem = connection.prepare(`PRAGMA ${pragma}`).pluck().get();
    if (problem !== "ok") return String(problem).replace(/\s+/g, " ");
    const orphan = connection.prepare("PRAGMA foreign_key_check").get() as
      | { table: string }
      | undefined;
    return orphan ? `a row of ${orphan.table} refers to a row that does not exist` : null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** `headCopy` means the same as `copy` in `signedHeadProblem`. */
export async function checkTrail(
  db: Reader,
  keys: TrailKeys,
  headCopy?: SignedLink | null,
): Promise<AuditCheck> {
  const { checked, head, broken } = await walkTrail(db, keys.auditKey);
  const problem = broken ?? (await signedHeadProblem(keys, db, headCopy));
  return {
    checked,
    head,
    broken: problem && { seq: problem.seq, reason: problem.reason },
    isChainBroken: broken !== null,
    keyFits: problem === null || checked > 0 || head === null,
  };
}
