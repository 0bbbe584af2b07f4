// The steps of a restore, which the command line calls and the store implements.
// (docs/guides/backup.md)

import type { ChainLink } from "../audit/audit-events.ts";

export interface DatabaseFacts {
  schemaVersion: number;
  agents: number;
  users: number;
  activeOwners: number;
  openCommands: number;
  /** Null if there are no audit rows. */
  auditHead: ChainLink | null;
  /** In Unix milliseconds; null if there are no events. */
  newestEventAt: number | null;
}

export interface ReplacedFacts extends DatabaseFacts {
  /** Includes a restore whose note no server has read yet. */
  pastRestores: PastRestore[];
}

/** A restore, and the audit trail that it replaced. */
export interface PastRestore {
  /** An ISO time. */
  restoredAt: string;
  by: string | null;
  /** Where the backup's trail ended. Null if it was empty. */
  auditHead: ChainLink | null;
  /** Null if the replaced trail was empty, or if nothing of it could be read. */
  replacedHead: ChainLink | null;
}

export interface CopiedFile {
  sizeBytes: number;
  /** In hexadecimal. */
  sha256: string;
}

/** Recorded in the restored database, for the audit trail. */
export interface RestoreNote extends CopiedFile {
  /** An ISO time. */
  restoredAt: string;
  osUser: string;
  auditHead: ChainLink | null;
  /** Null if the replaced trail was empty, or if nothing of it could be read. */
  replacedHead: ChainLink | null;
  /** The restores that only the replaced trail recorded, newest first; at most `maxRestores`. */
  earlierRestores: PastRestore[];
  migrations: string[];
}

export type NewRestoreNote = Omit<RestoreNote, "restoredAt" | "migrations" | "earlierRestores"> & {
  /** In Unix milliseconds. */
  at: number;
};

/** What remains of the replaced database. */
export interface KeptFiles {
  /** Null if there was no database. */
  database: string | null;
  /** Its log, and the copy of its trail's head. */
  others: string[];
}

/** Uses the database exclusively. Only `replace` changes anything. */
export interface Restore {
  /** The path with links resolved. */
  readonly file: string;
  /** The copy of the backup that replaces the database. */
  readonly draft: string;
  /** Rejects with the signal's reason after an abort. */
  copy(onBytes: (done: number) => void, signal: AbortSignal): Promise<CopiedFile>;
  /** Describes the parts of the copy's schema that no migration created. Throws like `describe`. */
  schemaProblem(): string | null;
  /** Throws AppError UNAVAILABLE. */
  describe(): { facts: DatabaseFacts; pending: string[] };
  /** Describes what the audit trail does not account for. `now` is in Unix milliseconds. */
  discrepancies(now: number): Promise<string[]>;
  /** Returns a reason if the database cannot be read, and null if it does not exist. */
  describeReplaced(): ReplacedFacts | string | null;
  /**
   * Migrates the copy if `upToDate`, and then records the note and the restores of the replaced
   * database. Returns the applied migrations.
   */
  finish(note: NewRestoreNote, pastRestores: readonly PastRestore[], upToDate: boolean): string[];
  /**
   * Returns how far the replaced trail went, according to the copy that is kept outside the
   * database. The copy is not verified. Null if there is no copy.
   */
  lostHead(): ChainLink | null;
  /** Throws FileInUse. */
  replace(stamp: string): KeptFiles;
  /** Removes everything except what `replace` has put in place. */
  end(): void;
}
