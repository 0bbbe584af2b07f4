// These descriptions are safe for any caller: they contain no paths or system errors.

import { AppError } from "../errors.ts";

const storageProblems = {
  FILE_MISSING:
    "The database file, or a file that belongs to it, is missing. Put it back, or " +
    "stop the server and restore a backup.",
  FILE_REPLACED:
    "The database file, or a file that belongs to it, was replaced. Put the " +
    "original back, or restart the server to use the new one.",
  DISK_FULL: "The disk that holds the database is full.",
  READ_ONLY: "The database, or the file system that holds it, is read-only.",
  LOCKED: "Another process holds a lock on the database, or PostgreSQL is overloaded.",
  // SQLite reports the same error if the disk cannot read the file.
  DAMAGED:
    "The database file is damaged, or the disk cannot read it. Check the disk and the kernel's log. " +
    "If the file is damaged, stop the server and restore a backup.",
  IO_ERROR: "The disk that holds the database has failed.",
  MOVED: "The data was moved to another database. Use that database.",
  UNREACHABLE: "The database server cannot be reached, or is a read-only replica.",
  DATA_LOST:
    "Changes that the server had confirmed are gone, for example after a failover to a lagging replica. " +
    "Schedules and rollouts start nothing until an owner has run " +
    "`platformctl maintenance accept-data-loss`.",
  AUDIT_BROKEN:
    "A row of the audit trail was changed or removed. `platformctl audit verify` names the row. " +
    "The guide to the audit trail (`platform docs audit`) says what to do.",
} as const;

export type StorageReason = keyof typeof storageProblems;

export const storageReasons = Object.keys(storageProblems) as [StorageReason, ...StorageReason[]];

export function describeStorageProblem(reason: StorageReason): string {
  return storageProblems[reason];
}

/** A failure of the storage, as the cause of an UNAVAILABLE error. */
export class StorageFailure extends Error {
  override readonly name = "StorageFailure";
  readonly access: "read" | "write";
  readonly reason: StorageReason;

  constructor(access: "read" | "write", reason: StorageReason, cause?: unknown) {
    super(describeStorageProblem(reason), { cause });
    this.access = access;
    this.reason = reason;
  }
}

/** Returns null if the error had a different cause. */
export function storageFailureOf(error: unknown): StorageFailure | null {
  const cause = error instanceof AppError ? error.cause : null;
  return cause instanceof StorageFailure ? cause : null;
}
