// The file with a user's contexts: private, replaced as a whole, and written by one process at a
// time. The new file also serves as the lock: it is created exclusively beside the old file, and
// renaming it completes the write and releases the lock.

import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { CliError, exit } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/**
 * A writer holds the lock for milliseconds. A lock this old belongs to a process that has exited.
 */
const staleMs = 10_000;
const retryMs = 20;
const graceMs = 1000;

/**
 * Returns the file's text; null if the file does not exist. Makes a file that others could read
 * private, and reports that. Throws file system errors.
 */
export function readPrivateFile(io: Io, file: string): string | null {
  const text = readTextOrNullSync(file);
  if (text !== null) closeToOthers(io, file);
  return text;
}

/**
 * Replaces the file's text with what `change` returns. Creates the folder with mode 0700 and the
 * file with 0600. Concurrent calls take turns. Throws what `change` throws, and file system errors;
 * then the file is unchanged.
 */
export async function replacePrivateFile(
  io: Io,
  named: string,
  change: (text: string | null) => string,
): Promise<void> {
  makeFolder(dirname(named), 0o700);
  // A link is kept, and its target is replaced.
  const file = existsSync(named) ? realpathSync(named) : named;
  const fresh = `${file}.lock`;
  const descriptor = await openAlone(io, fresh);
  try {
    try {
      writeFileSync(descriptor, change(readPrivateFile(io, file)));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

/** Throws a conflict if another process holds the lock longer than any write takes. */
async function openAlone(io: Io, file: string): Promise<number> {
  for (let waited = 0; waited <= staleMs + graceMs; waited += retryMs) {
    try {
      return openSync(file, "wx", 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      dropWhenStale(io, file);
      await pause(retryMs);
    }
  }
  const message = `${file} is locked: remove the lock file if no other login is running.`;
  throw new CliError(exit.conflict, message, { code: "CONTEXTS_LOCKED" });
}

function dropWhenStale(io: Io, file: string): void {
  const createdAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  // A time in the future means that the clock was set back.
  if (createdAt !== undefined && Math.abs(io.now() - createdAt) > staleMs) {
    rmSync(file, { force: true });
  }
}

/** Windows has no such modes, but the user's folder there is private. */
function closeToOthers(io: Io, file: string): void {
  if (process.platform === "win32") return;
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  chmodSync(file, 0o600);
  const was = mode.toString(8).padStart(4, "0");
  io.note(`Others could read ${file} (mode ${was}): its mode is now 0600.\n`);
}
