// A child process checks a database file before it is trusted.

export interface CheckRequest {
  file: string;
  /** Null skips the audit chain. */
  auditKeyFile: string | null;
  /** Whether to check every page, index and constraint, or only what SQLite can check quickly. */
  deep: boolean;
  /** Whether no other process uses the file. SQLite may then write to it, and can check more. */
  draft: boolean;
}

export interface CheckReport {
  /** What SQLite finds wrong; null if the file is intact. */
  damage: string | null;
  /** Null if the chain was skipped or could not be checked. */
  audit: AuditCheck | null;
}

export interface AuditCheck {
  checked: number;
  /** Null if there are no rows. */
  head: { seq: number; hash: string } | null;
  /** The first row that is not intact, or a signed row that is gone; null if the trail is sound. */
  broken: { seq: number; reason: string } | null;
  /** Whether `broken` is a row that does not match the chain. */
  isChainBroken: boolean;
  /** False if not even the first row is intact, most likely because the key is the wrong one. */
  keyFits: boolean;
}

/**
 * Rejects with AppError UNAVAILABLE if the file or the key cannot be used, and with the signal's
 * reason after an abort.
 */
export type CheckDatabase = (request: CheckRequest, signal: AbortSignal) => Promise<CheckReport>;

/** Users, API keys and agents that the audit trail does not account for. */
export interface Unaccounted {
  /** For example `user eve: the audit trail has no user.created event`. */
  discrepancies: string[];
  /** Names of API keys that still work although their user is disabled or deleted. */
  orphanedKeys: string[];
}
