// How far a database's schema is, for people.

/** CHANGED: applied in another form than this program's. UNKNOWN: a newer program has applied it. */
export type MigrationState = "APPLIED" | "PENDING" | "CHANGED" | "UNKNOWN";

export interface MigrationView {
  version: number;
  name: string;
  state: MigrationState;
  /** ISO 8601; null while it is pending. */
  appliedAt: string | null;
  /** SHA-256 of its SQL, hexadecimal: as applied, or as it will be. */
  checksum: string;
}
