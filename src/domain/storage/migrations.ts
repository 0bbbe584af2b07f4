// The state of a database's schema, for people.

/** CHANGED: applied in a different form than here. UNKNOWN: applied by a newer program. */
export type MigrationState = "APPLIED" | "PENDING" | "CHANGED" | "UNKNOWN";

export interface MigrationView {
  version: number;
  name: string;
  state: MigrationState;
  /** ISO 8601; null while it is pending. */
  appliedAt: string | null;
  /** SHA-256 of its SQL, hexadecimal: as applied, or as it will be applied. */
  checksum: string;
}
