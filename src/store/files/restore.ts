// Prepares a copy of a backup beside the database that it replaces, and puts it in place. Only
// reads the backup, and changes nothing before `replace`. (docs/guides/backup.md)

import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  read,
  rmSync,
  statSync,
} from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import type { ChainLink } from "../../domain/audit/audit-events.ts";
import { AppError } from "../../domain/errors.ts";
import type {
  CopiedFile,
  DatabaseFacts,
  KeptFiles,
  NewRestoreNote,
  PastRestore,
  ReplacedFacts,
  Restore,
} from "../../domain/storage/restores.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { trueName } from "../../lib/files/true-name.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { headCopyOf, readHeadCopy } from "../audit/head-copy.ts";
import { forgetVerifiedLink } from "../audit/signatures.ts";
import { readUnaccounted } from "../audit/unaccounted.ts";
import { loadMigrations } from "../engine/migrations.ts";
import {
  claimDatabase,
  type DatabaseLock,
  forgetWhoServes,
} from "../engine/sqlite/database-lock.ts";
import {
  checkHeader,
  openReader,
  openWriter,
  refusal,
  type SqliteConnection,
  sizeOf,
  systemRefusal,
} from "../engine/sqlite/file.ts";
import { migrate, pendingMigrations } from "../engine/sqlite/migrate.ts";
import { schemaProblem } from "../engine/sqlite/schema-comparison.ts";
import { readerOf } from "../engine/sqlite/statements.ts";
import { readFacts } from "./database-facts.ts";
import { companions, draftOf, FileInUse, removeDraft, replaceFile, undo } from "./replace-file.ts";
import { leaveRestoreNote, pastRestores, restoresToKeep } from "./restore-note.ts";

const chunkBytes = 1024 * 1024;

export class FileRestore implements Restore {
  readonly file: string;
  readonly draft: string;
  readonly #source: string;
  readonly #descriptor: number;
  readonly #lock: DatabaseLock | null;
  readonly #drafts: string;

  private constructor(source: OpenSource, file: string, lock: DatabaseLock | null, drafts: string) {
    this.file = file;
    this.#source = source.path;
    this.#descriptor = source.descriptor;
    this.#lock = lock;
    this.#drafts = drafts;
    this.draft = draftOf(drafts);
  }

  /**
   * With `rehearsal`, no folder is created for `file`. Throws FileInUse, or AppError UNAVAILABLE if
   * `path` cannot be a backup of this program.
   */
  static begin(path: string, file: string, rehearsal: boolean): FileRestore {
    const source = openSource(path);
    try {
      return FileRestore.#claim(source, file, rehearsal);
    } catch (error) {
      closeSync(source.descriptor);
      throw error;
    }
  }

  static #claim(source: OpenSource, file: string, rehearsal: boolean): FileRestore {
    const target = trueName(file);
    const folder = dirname(target);
    if (rehearsal && !existsSync(folder)) {
      const elsewhere = mkdtempSync(join(tmpdir(), "platform-restore-"));
      return new FileRestore(source, target, null, join(elsewhere, basename(target)));
    }
    makeFolderFor(folder, target);
    const lock = claimDatabase(target);
    if (!lock) throw new FileInUse(target);
    undo(target);
    return new FileRestore(source, target, lock, target);
  }

  async copy(onBytes: (done: number) => void, signal: AbortSignal): Promise<CopiedFile> {
    try {
      return await copyFile(this.#descriptor, this.draft, onBytes, signal);
    } catch (error) {
      signal.throwIfAborted();
      throw refusal(this.#source, `it cannot be copied: ${(error as Error).message}`, error);
    }
  }

  schemaProblem(): string | null {
    return this.#look((connection) => {
      pendingMigrations(connection, loadMigrations());
      return schemaProblem(connection);
    });
  }

  describe(): { facts: DatabaseFacts; pending: string[] } {
    return this.#look((connection) => {
      const pending = pendingMigrations(connection, loadMigrations());
      return { facts: readFacts(connection), pending: pending.map(({ name }) => name) };
    });
  }

  #look<T>(into: (connection: SqliteConnection) => T): T {
    const connection = openReader(this.draft, 0);
    try {
      return into(connection);
    } catch (error) {
      throw this.#ofSource(error);
    } finally {
      connection.close();
    }
  }

  async discrepancies(now: number): Promise<string[]> {
    const connection = openReader(this.draft, 0);
    try {
      return (await readUnaccounted(readerOf(connection), now))?.discrepancies ?? [];
    } catch (error) {
      throw this.#ofSource(error);
    } finally {
      connection.close();
    }
  }

  describeReplaced(): ReplacedFacts | string | null {
    if (!existsSync(this.file)) return null;
    let connection: ReturnType<typeof openReader> | null = null;
    try {
      checkHeader(this.file);
      connection = openReader(this.file, 0);
      return { ...readFacts(connection), pastRestores: pastRestores(connection) };
    } catch (error) {
      return (error as Error).message;
    } finally {
      connection?.close();
    }
  }

  finish(
    { at, ...facts }: NewRestoreNote,
    ofReplaced: readonly PastRestore[],
    upToDate: boolean,
  ): string[] {
    const connection = openWriter({ file: this.draft, busyTimeoutMs: 0, create: false });
    try {
      // The migration makes no copy, because the backup itself stays unchanged.
      const applied = upToDate ? migrate(connection, () => at, loadMigrations(), true) : [];
      const migrations = applied.map(({ name }) => name);
      const earlierRestores = restoresToKeep(connection, ofReplaced);
      const note = { restoredAt: isoTime(at), ...facts, earlierRestores, migrations };
      leaveRestoreNote(connection, at, note);
      // The backup has been outside the server's control, so its rows must be verified again.
      forgetVerifiedLink(connection);
      // The draft must have no log when it becomes the database.
      connection.pragma("journal_mode = DELETE");
      return migrations;
    } catch (error) {
      throw this.#ofSource(error);
    } finally {
      connection.close();
    }
  }

  lostHead(): ChainLink | null {
    const { seq, hash } = readHeadCopy(headCopyOf(this.file)) ?? { seq: 0, hash: "" };
    return seq > 0 ? { seq, hash } : null;
  }

  replace(stamp: string): KeptFiles {
    const kept = freeName(`${this.file}.before-restore-${stamp}`);
    replaceFile(this.file, kept);
    forgetWhoServes(this.file);
    return {
      database: existsSync(kept) ? kept : null,
      others: companions.map((suffix) => kept + suffix).filter((path) => existsSync(path)),
    };
  }

  end(): void {
    closeSync(this.#descriptor);
    if (!this.#lock) {
      rmSync(dirname(this.#drafts), { recursive: true, force: true });
      return;
    }
    try {
      // After a failed replacement, the draft must remain until `undo` succeeds.
      if (!undo(this.file)) removeDraft(this.file);
    } finally {
      this.#lock.release();
    }
  }

  /** Operators know the backup's path, but not the draft's. */
  #ofSource(error: unknown): unknown {
    if (!(error instanceof AppError)) return refusal(this.#source, (error as Error).message, error);
    const message = error.message.replaceAll(this.draft, this.#source);
    return new AppError(error.code, message, { cause: error });
  }
}

export function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev;
}

interface OpenSource {
  path: string;
  descriptor: number;
}

/** Throws AppError UNAVAILABLE if the file cannot be a backup of this program. */
function openSource(path: string): OpenSource {
  checkSource(path);
  // In non-blocking mode, opening a pipe does not wait.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  if (fstatSync(descriptor).isFile()) return { path, descriptor };
  closeSync(descriptor);
  throw refusal(path, "it is not a regular file");
}

function checkSource(source: string): void {
  if (sizeOf(source) === null) throw refusal(source, "there is no such file");
  checkHeader(source);
  const log = ["-wal", "-journal"].find(
    (suffix) => (statSync(source + suffix, { throwIfNoEntry: false })?.size ?? 0) > 0,
  );
  if (log === undefined) return;
  throw refusal(
    source,
    `there is a log beside it (${basename(source)}${log}), so it is not a backup but a database that was ` +
      `in use: make a backup of it with platform backup FILE --db ${shellWord(source)} first`,
  );
}

function makeFolderFor(folder: string, file: string): void {
  try {
    makeFolder(folder, 0o700);
  } catch (error) {
    throw systemRefusal(file, error);
  }
}

async function copyFile(
  from: number,
  to: string,
  onBytes: (done: number) => void,
  signal: AbortSignal,
): Promise<CopiedFile> {
  const digest = createHash("sha256");
  const chunk = Buffer.alloc(chunkBytes);
  let sizeBytes = 0;
  let target: FileHandle | null = null;
  try {
    target = await open(to, "wx", 0o600);
    while (true) {
      signal.throwIfAborted();
      const { bytesRead } = await promisify(read)(from, chunk, 0, chunkBytes, sizeBytes);
      if (bytesRead === 0) break;
      const part = chunk.subarray(0, bytesRead);
      digest.update(part);
      await target.writeFile(part);
      sizeBytes += bytesRead;
      onBytes(sizeBytes);
    }
    await target.sync();
  } finally {
    await target?.close();
  }
  return { sizeBytes, sha256: digest.digest("hex") };
}

/** The number is needed if two restores happen within one second. */
function freeName(wanted: string): string {
  let name = wanted;
  for (let number = 2; existsSync(name); number++) name = `${wanted}-${number}`;
  return name;
}
