/**
 * CHANGED: this program's migration differs from the applied one. UNKNOWN: a newer program applied
 * the migration.
 */
export type MigrationState = "APPLIED" | "PENDING" | "CHANGED" | "UNKNOWN";

export interface MigrationView {
  version: number;
  name: string;
  state: MigrationState;
  /** In ISO 8601; null while the migration is pending. */
  appliedAt: string | null;
  /** The SHA-256 of the migration's SQL, in hexadecimal. */
  checksum: string;
}

export interface SchemaStatus {
  migrations: MigrationView[];
  /** The version of the oldest program that may use a schema with UNKNOWN migrations, if any. */
  minimum: number | null;
}
