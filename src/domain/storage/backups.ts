// The request and result of making a backup: a copy of the database that is verified. A child
// process makes it, outside the event loop.

export interface CopyRequest {
  /** The database file, which may be in use. */
  from: string;
  /** Where the copy goes; the file must not exist. */
  to: string;
  /** The file with the key of the audit chain. */
  auditKeyFile: string;
}

/** A copy that was verified: intact, with an unbroken audit chain. */
export interface CopyReport {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** The newest row of its audit trail; `seq` is 0 if there is none. */
  auditHead: { seq: number; hash: string };
}

/**
 * Makes a copy outside the event loop. Rejects with AppError UNAVAILABLE and the reason if the copy
 * could not be made or failed verification, and with the signal's reason after an abort.
 */
export type CopyDatabase = (request: CopyRequest, signal: AbortSignal) => Promise<CopyReport>;
