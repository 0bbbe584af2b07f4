// A child process creates a backup, which is a verified copy of the database.

export interface CopyRequest {
  /** The database file, which may be in use. */
  from: string;
  /** The file must not exist. */
  to: string;
  auditKeyFile: string;
}

export interface CopyReport {
  sizeBytes: number;
  /** In hexadecimal. */
  sha256: string;
  /** `seq` is 0 if the copy's audit trail is empty. */
  auditHead: { seq: number; hash: string };
}

/**
 * Rejects with AppError UNAVAILABLE if the copy could not be made or failed verification, and with
 * the signal's reason after an abort.
 */
export type CopyDatabase = (request: CopyRequest, signal: AbortSignal) => Promise<CopyReport>;
