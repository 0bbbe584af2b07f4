import { AppError } from "../../domain/errors.ts";
import {
  describeStorageProblem,
  StorageFailure,
  type StorageReason,
} from "../../domain/storage/failures.ts";

const reasons: readonly [RegExp, StorageReason][] = [
  [/^SQLITE_(BUSY|LOCKED)/, "LOCKED"],
  [/^SQLITE_FULL/, "DISK_FULL"],
  [/^SQLITE_READONLY_DBMOVED/, "FILE_REPLACED"],
  [/^SQLITE_READONLY/, "READ_ONLY"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "DAMAGED"],
  [/^SQLITE_(IOERR|CANTOPEN|NOMEM)/, "IO_ERROR"],
  // PostgreSQL's codes have five characters.
  [/^(53300|08...|57P0.|25P03|25P04)$/, "UNREACHABLE"],
  [/^(55P03|57014|40001|40P01)$/, "LOCKED"],
  [/^53100$/, "DISK_FULL"],
  [/^25006$/, "READ_ONLY"],
  [/^XX00[12]$/, "DAMAGED"],
  [/^(53|58)...$/, "IO_ERROR"],
];

/** Returns null if the statement or the program caused the error, not the storage. */
export function storageReasonOf(error: unknown): StorageReason | null {
  if (error instanceof StorageFailure) return error.reason;
  const code = (error as { code?: unknown } | null)?.code;
  if (typeof code !== "string") return null;
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? null;
}

/** The error for every write of a failed transaction. */
export function cannotWrite(error: unknown): AppError {
  return writeFailure(error, "The storage cannot write right now; nothing was changed.");
}

/** The error for every write of a transaction that may or may not be on disk. */
export function notConfirmed(error: unknown): AppError {
  const message =
    "The storage failed while it confirmed the change, which may or may not have been made.";
  return writeFailure(error, message);
}

/** The error for a read of changes that may not be on disk. */
export function notDurable(error: unknown): AppError {
  const message = "The storage failed while it confirmed changes, so they may still be lost.";
  return writeFailure(error, message);
}

function writeFailure(error: unknown, message: string): AppError {
  const reason = storageReasonOf(error);
  const cause = reason === null ? error : new StorageFailure("write", reason, error);
  return new AppError("UNAVAILABLE", withReason(message, reason), { cause, retryAfterSeconds: 1 });
}

/** Adds what is wrong with the storage. Any caller may see this. */
function withReason(message: string, reason: StorageReason | null): string {
  return reason === null ? message : `${message} ${describeStorageProblem(reason)}`;
}

/** Throws AppError UNAVAILABLE if the storage fails, and otherwise whatever `read` throws. */
export function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw readFailure(error);
  }
}

/** Like `reading`, but for an asynchronous read. */
export async function readingFrom<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw readFailure(error);
  }
}

function readFailure(error: unknown): unknown {
  const reason = storageReasonOf(error);
  if (reason === null) return error;
  const message = withReason("The storage cannot be read right now.", reason);
  return new AppError("UNAVAILABLE", message, {
    cause: new StorageFailure("read", reason, error),
    retryAfterSeconds: 1,
  });
}
