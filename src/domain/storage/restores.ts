// The steps of a restore, as the command line calls them and the store implements them.
// (docs/backup.md)

import type { ChainLink } from "../audit/audit-events.ts";

/** Facts that a person needs about a database before it is replaced or trusted. */
export interface DatabaseFacts {
  schemaVersion: number;
  agents: number;
  users: number;
  /** Active users with the role owner. */
  activeOwners: number;
  /** Commands that have not ended. */
  openCommands: number;
  /** The newest audit row; null when there is none. */
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
  /** The user of the operating system. */
  osUser: string;
  auditHead: ChainLink | null;
  /** The newest row of the replaced trail; null without one, or if it could not be read. */
  replacedHead: ChainLink | null;
  /** Names of the migrations that the restore applied. */
  migrations: string[];
}

/** One restore, with exclusive use of the database. Only `replace` changes anything. */
export interface Restoration {
  /** The database to replace, with links resolved. */
  readonly file: string;
  /** The copy of the backup that takes its place. */
  readonly draft: string;
  /** Copies the backup. Rejects with the signal's reason after an abort. */
  copy(onBytes: (done: number) => void, signal: AbortSignal): Promise<CopiedFile>;
  /** Describes what no migration created in the copy's schema. Throws like `describe`. */
  schemaProblem(): string | null;
  /** Returns facts and pending migrations of the copy. Throws AppError UNAVAILABLE. */
  describe(): { facts: DatabaseFacts; pending: string[] };
  /** Describes what the copy's audit trail does not account for; `now` is Unix milliseconds. */
  strangers(now: number): string[];
  /** Returns facts of the current database, null without one, or why it cannot be read. */
  describeReplaced(): DatabaseFacts | string | null;
  /** Migrates the copy if `upToDate`, then records the note. Returns the applied migrations. */
  finish(note: Omit<RestoreNote, "migrations">, upToDate: boolean): string[];
  /** Returns the path of the replaced database; null if none existed. Throws FileInUse. */
  replace(stamp: string): string | null;
  /** Removes everything except what `replace` has put in place. */
  end(): void;
}
