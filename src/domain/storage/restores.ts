// The steps of a restore, which the command line calls and the store implements.
// (docs/backup.md)

import type { ChainLink } from "../audit/audit-events.ts";

/** The facts that an operator needs about a database before replacing or trusting it. */
export interface DatabaseFacts {
  schemaVersion: number;
  agents: number;
  users: number;
  /** The active users with the owner role. */
  activeOwners: number;
  /** The number of commands that have not ended. */
  openCommands: number;
  /** The newest audit row; null if there is none. */
  auditHead: ChainLink | null;
  /** The time of that row, in Unix milliseconds. */
  newestEventAt: number | null;
}

export interface CopiedFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What a restore records in the restored database, for the audit trail. */
export interface RestoreNote extends CopiedFile {
  /** Unix milliseconds. */
  at: number;
  /** The operating system user who ran the restore. */
  osUser: string;
  auditHead: ChainLink | null;
  /** The newest row of the replaced trail; null if there is none or it could not be read. */
  replacedHead: ChainLink | null;
  /** Names of the migrations that the restore applied. */
  migrations: string[];
}

/** One restore, with exclusive use of the database. Only `replace` changes anything. */
export interface Restoration {
  /** The database to replace, with links resolved. */
  readonly file: string;
  /** The copy of the backup that replaces the database. */
  readonly draft: string;
  /** Copies the backup. Rejects with the signal's reason after an abort. */
  copy(onBytes: (done: number) => void, signal: AbortSignal): Promise<CopiedFile>;
  /** Describes the parts of the copy's schema that no migration created. Throws like `describe`. */
  schemaProblem(): string | null;
  /** Returns facts and pending migrations of the copy. Throws AppError UNAVAILABLE. */
  describe(): { facts: DatabaseFacts; pending: string[] };
  /** Describes what the copy's audit trail does not account for; `now` is in Unix milliseconds. */
  strangers(now: number): string[];
  /**
   * Returns facts about the current database, or why it cannot be read; null if it does not exist.
   */
  describeReplaced(): DatabaseFacts | string | null;
  /**
   * Migrates the copy if `upToDate` is true, and then records the note. Returns the applied
   * migrations.
   */
  finish(note: Omit<RestoreNote, "migrations">, upToDate: boolean): string[];
  /**
   * Replaces the database with the copy. Returns the path of the replaced database; null if none
   * existed. Throws FileInUse.
   */
  replace(stamp: string): string | null;
  /** Removes everything except what `replace` has put in place. */
  end(): void;
}
