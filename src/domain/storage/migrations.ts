// The state of a database's schema, as it is reported to operators.

/**
 * CHANGED: applied, but different from this program's migration. UNKNOWN: applied by a newer
 * program.
 */
export type MigrationState = "APPLIED" | "PENDING" | "CHANGED" | "UNKNOWN";

export interface MigrationView {
  version: number;
  name: string;
  state: MigrationState;
  /** When the migration was applied, in ISO 8601; null while it is pending. */
  appliedAt: string | null;
  /** The SHA-256 (hexadecimal) of the migration's SQL as it was or will be applied. */
  checksum: string;
}
