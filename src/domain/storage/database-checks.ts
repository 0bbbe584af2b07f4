// The request and result of checking a database file before it is trusted. A child process does it,
// because a large file takes long.

export interface CheckRequest {
  file: string;
  /** The file with the key of its audit chain; null to skip the chain. */
  auditKeyFile: string | null;
  /** Whether to check every page, index and constraint, or only what SQLite can check quickly. */
  deep: boolean;
  /** Whether the file is private, so that it can be opened for writing. SQLite checks more then. */
  draft: boolean;
}

export interface CheckReport {
  /** What SQLite finds wrong; null if the file is intact. */
  damage: string | null;
  /** Null if the chain was not walked or could not be. */
  audit: AuditCheck | null;
}

export interface AuditCheck {
  /** How many rows verify. */
  checked: number;
  /** The newest row; null without rows. */
  head: { seq: number; hash: string } | null;
  /** The first row that does not verify, and the reason; null if the chain is unbroken. */
  broken: { seq: number; reason: string } | null;
  /** False if not even the first row verifies, most likely because the key is the wrong one. */
  keyFits: boolean;
}

/**
 * Checks a file outside the event loop. Rejects with AppError UNAVAILABLE if the file cannot be
 * opened or the key cannot be used, and with the signal's reason after an abort.
 */
export type CheckDatabase = (request: CheckRequest, signal: AbortSignal) => Promise<CheckReport>;

/** Users, API keys and agents that the audit trail does not account for. */
export interface Unaccounted {
  /** In words: `user eve: the audit trail has no user.created`. */
  strangers: string[];
  /** Names of keys that still work although their user is disabled or deleted. */
  orphanedKeys: string[];
}
