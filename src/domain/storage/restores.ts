// Putting a backup in the place of a database, in steps: what the command line and the store tell each
// other. (docs/backup.md)

import type { ChainLink } from "../audit/audit-events.ts";

/** What a person wants to know of a database before it is replaced, or trusted. */
export interface DatabaseFacts {
  schemaVersion: number;
  agents: number;
  users: number;
  /** Users who may do everything, now. */
  activeOwners: number;
  /** Commands that have not ended. */
  openCommands: number;
  /** The newest audit row; null when there is none. */
  auditHead: ChainLink | null;
  /** When it was written: Unix milliseconds. */
  newestEventAt: number | null;
}

export interface CopiedFile {
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

/** What a restore leaves in the database that it puts in place, for the audit trail. */
export interface RestoreNote extends CopiedFile {
  /** Unix milliseconds. */
  at: number;
  /** The user of the operating system. */
  osUser: string;
  auditHead: ChainLink | null;
  /** The newest row of the trail that was replaced; null when there was none, or it could not be read. */
  replacedHead: ChainLink | null;
  /** Applied to it meanwhile, by name. */
  migrations: string[];
}

/** One restore, which has the database alone until it ends. Nothing is touched before `replace`. */
export interface Restoration {
  /** The database that is to be replaced, by its true name. */
  readonly file: string;
  /** The copy of the backup that takes its place. */
  readonly draft: string;
  /** Copies the backup; the signal ends it with its reason. */
  copy(onBytes: (done: number) => void, signal: AbortSignal): Promise<CopiedFile>;
  /** What the copy's schema has that no migration made, in words. Throws AppError UNAVAILABLE as `describe` does. */
  schemaProblem(): string | null;
  /** What is in the copy, and which migrations it wants. Throws AppError UNAVAILABLE when it is not ours. */
  describe(): { facts: DatabaseFacts; pending: string[] };
  /** Users, API keys and agents in the copy that its audit trail does not account for, in words; `now` in Unix milliseconds. */
  strangers(now: number): string[];
  /** What is there now; null when nothing is; the reason in words when it cannot be read. */
  describeReplaced(): DatabaseFacts | string | null;
  /** Brings the copy up to date when that is wanted, and leaves the note in it. Answers what was applied. */
  finish(note: Omit<RestoreNote, "migrations">, upToDate: boolean): string[];
  /** Answers where the replaced database is kept; null when there was none. Throws FileInUse. */
  replace(stamp: string): string | null;
  /** Leaves nothing but what `replace` has put in place. */
  end(): void;
}
