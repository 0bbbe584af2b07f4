// What is found out about a database file before it is trusted. Another process looks, because a large
// file takes long; this is what the two tell each other.

export interface CheckRequest {
  file: string;
  /** The file of the key that its audit chain should fit; null: the chain is not walked. */
  auditKeyFile: string | null;
  /** Every page, index and constraint; else what SQLite finds quickly. */
  deep: boolean;
  /** The file is ours alone and may be opened for writing, which lets SQLite check a little more. */
  draft: boolean;
}

export interface CheckReport {
  /** What SQLite finds wrong; null: it is sound. */
  damage: string | null;
  /** Null when it was not walked, or could not be. */
  audit: AuditCheck | null;
}

export interface AuditCheck {
  /** How many rows fit. */
  checked: number;
  /** The newest row; null when there are none. */
  head: { seq: number; hash: string } | null;
  /** The first row that does not fit, and why; null: the chain is unbroken. */
  broken: { seq: number; reason: string } | null;
  /** Not even the first row fits: the key is another one, most likely. */
  keyFits: boolean;
}

/**
 * Looks at a file beside the event loop. Rejects with AppError UNAVAILABLE when it cannot be opened, or the
 * key cannot be used; with the signal's reason once the work was ended.
 */
export type CheckDatabase = (request: CheckRequest, signal: AbortSignal) => Promise<CheckReport>;

/** Users, API keys and agents that the audit trail does not account for. */
export interface Unaccounted {
  /** In words: `user eve: the audit trail has no user.created`. */
  strangers: string[];
  /** Names of keys that still work though their user is disabled or deleted. */
  orphanedKeys: string[];
}
