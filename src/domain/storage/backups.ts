// A backup is a copy of the database that was checked before it is called good. Another process makes
// it, away from the event loop; this is what the two tell each other.

export interface CopyRequest {
  /** The database file; it may be in use. */
  from: string;
  /** Where the copy goes: must not be there yet. */
  to: string;
  /** The file of the key that the audit chain was made with. */
  auditKeyFile: string;
}

/** Of a copy that is good: sound, and its audit chain unbroken. */
export interface CopyReport {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** The newest row of its audit trail; `seq` is 0 when it has none. */
  auditHead: { seq: number; hash: string };
}

/**
 * Makes a copy beside the event loop. Rejects with AppError UNAVAILABLE that says why the copy could not
 * be made or is no good; with the signal's reason once the work was ended.
 */
export type CopyDatabase = (request: CopyRequest, signal: AbortSignal) => Promise<CopyReport>;
