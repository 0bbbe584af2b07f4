// The file that holds a user's contexts: readable by that user alone, replaced as a whole, and written by
// one process at a time. The new file is the lock: it is made exclusively beside the old one, and its
// renaming ends both the writing and the lock.

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

/** A writer holds the lock for a few milliseconds: one this old has died with it. */
const staleMs = 10_000;
const retryMs = 20;
const graceMs = 1000;

/**
 * The file's text; null when there is none. One that others may read is closed to them, and that is said.
 * Throws what the file system says.
 */
export function readPrivateFile(io: Io, file: string): string | null {
  const text = readTextOrNullSync(file);
  if (text !== null) closeToOthers(io, file);
  return text;
}

/**
 * Puts what `change` makes of the file's text (null when there is none) in its place: mode 0600, in a
 * folder that is made with 0700. Two at once take turns. Throws what `change` or the file system says; then
 * the file is as it was.
 */
export async function replacePrivateFile(
  io: Io,
  named: string,
  change: (text: string | null) => string,
): Promise<void> {
  makeFolder(dirname(named), 0o700);
  // A link stays: it is what it leads to that is written.
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

/** Throws a conflict when somebody else keeps it for longer than a writer ever needs it. */
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
  throw new CliError(
    exit.conflict,
    `${file} is in the way: remove it when no login is under way.`,
    {
      code: "CONTEXTS_LOCKED",
    },
  );
}

function dropWhenStale(io: Io, file: string): void {
  const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  // One from the future: the clock was set back.
  if (made !== undefined && Math.abs(io.now() - made) > staleMs) rmSync(file, { force: true });
}

/** Windows has no such modes: there the folder of the user is closed to others. */
function closeToOthers(io: Io, file: string): void {
  if (process.platform === "win32") return;
  const mode = statSync(file).mode & 0o777;
  if ((mode & 0o077) === 0) return;
  chmodSync(file, 0o600);
  const was = mode.toString(8).padStart(4, "0");
  io.note(`${file} could be read by others (mode ${was}): its mode is 0600 now.\n`);
}
