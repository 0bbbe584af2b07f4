// The request and the result of creating a backup, which is a verified copy of the database. A
// child process creates it, outside the event loop.

export interface CopyRequest {
  /** The database file, which may be in use. */
  from: string;
  /** The path of the copy. The file must not exist. */
  to: string;
  /** The file with the key of the audit chain. */
  auditKeyFile: string;
}

/** A copy that was verified: intact, with an unbroken audit chain. */
export interface CopyReport {
  sizeBytes: number;
  /** The SHA-256 of the copy, in hexadecimal. */
  sha256: string;
  /** The newest row of the copy's audit trail; `seq` is 0 if there is none. */
  auditHead: { seq: number; hash: string };
}

/**
 * Makes a copy outside the event loop. Rejects with AppError UNAVAILABLE and the reason if the copy
 * could not be made or failed verification, and with the signal's reason after an abort.
 */
export type CopyDatabase = (request: CopyRequest, signal: AbortSignal) => Promise<CopyReport>;
