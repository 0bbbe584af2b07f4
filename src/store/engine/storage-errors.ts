// Which of SQLite's errors are the storage's own, and what callers are told of them.

import { AppError } from "../../domain/errors.ts";
import { StorageFailure, type StorageReason } from "../../domain/storage/failures.ts";

/** By the beginning of SQLite's code. */
const reasons: readonly [RegExp, StorageReason][] = [
  [/^SQLITE_(BUSY|LOCKED)/, "LOCKED"],
  [/^SQLITE_FULL/, "DISK_FULL"],
  [/^SQLITE_READONLY_DBMOVED/, "FILE_REPLACED"],
  [/^SQLITE_READONLY/, "READ_ONLY"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "DAMAGED"],
  [/^SQLITE_(IOERR|CANTOPEN|NOMEM)/, "IO_ERROR"],
];

/** What is wrong with the storage; null when the statement itself is at fault, or the program. */
export function storageReasonOf(error: unknown): StorageReason | null {
  if (error instanceof StorageFailure) return error.reason;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string") return null;
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** For every write of a transaction that failed. */
export function cannotWrite(error: unknown): AppError {
  const reason = storageReasonOf(error);
  const cause = reason === null ? error : new StorageFailure("write", reason, error);
  return new AppError("UNAVAILABLE", "The storage cannot write right now; nothing was changed.", {
    cause,
    retryAfterSeconds: 1,
  });
}

/** Runs a read. Throws UNAVAILABLE when the storage fails, else what the read throws. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const reason = storageReasonOf(error);
    if (reason === null) throw error;
    throw new AppError("UNAVAILABLE", "The storage cannot be read right now.", {
      cause: new StorageFailure("read", reason, error),
      retryAfterSeconds: 1,
    });
  }
}
