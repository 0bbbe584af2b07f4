// The request and the result of checking a database file before it is trusted. A child process does
// the check, because a large file takes a long time.

export interface CheckRequest {
  file: string;
  /** The file with the key of the database's audit chain; null to skip the chain. */
  auditKeyFile: string | null;
  /** Whether to check every page, index and constraint, or only what SQLite can check quickly. */
  deep: boolean;
  /**
   * Whether the file is private, so that it can be opened for writing, which lets SQLite check
   * more.
   */
  draft: boolean;
}

export interface CheckReport {
  /** What SQLite finds wrong; null if the file is intact. */
  damage: string | null;
  /** The result for the audit chain; null if the chain was skipped or could not be checked. */
  audit: AuditCheck | null;
}

export interface AuditCheck {
  /** How many rows are intact. */
  checked: number;
  /** The newest row; null if there are no rows. */
  head: { seq: number; hash: string } | null;
  /** The first row that is not intact, and the reason; null if the chain is unbroken. */
  broken: { seq: number; reason: string } | null;
  /** False if not even the first row is intact, most likely because the key is the wrong one. */
  keyFits: boolean;
}

/**
 * Checks a file outside the event loop. Rejects with AppError UNAVAILABLE if the file cannot be
 * opened or the key cannot be used, and with the signal's reason after an abort.
 */
export type CheckDatabase = (request: CheckRequest, signal: AbortSignal) => Promise<CheckReport>;

/** Users, API keys and agents that the audit trail does not account for. */
export interface Unaccounted {
  /** A description of each: `user eve: the audit trail has no user.created`. */
  strangers: string[];
  /** Names of API keys that still work although their user is disabled or deleted. */
  orphanedKeys: string[];
}
