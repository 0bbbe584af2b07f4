// A child process creates a backup, which is a checked copy of the database.

import type { AuditCheck } from "./database-checks.ts";

export interface CopyRequest {
  /** The database file, which may be in use. */
  from: string;
  /** The file to create, which must not exist. */
  to: string;
  auditKeyFile: string;
}

export interface CopyReport {
  sizeBytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** Only an owner's `--unverified` accepts a copy whose trail is broken. */
  audit: AuditCheck;
}

/**
 * Rejects with AppError UNAVAILABLE if the copy could not be made or is damaged, and with
 * the signal's reason after an abort.
 */
export type CopyDatabase = (request: CopyRequest, signal: AbortSignal) => Promise<CopyReport>;
