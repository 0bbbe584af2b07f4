// The file with a user's contexts. A writer creates the new file exclusively beside the old one, as
// a lock; renaming it completes the write and releases the lock.

import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { trueName } from "../../lib/files/true-name.ts";
import { CliError, exit } from "../exit.ts";
import type { Io } from "../terminal/io.ts";

/** A writer holds the lock for milliseconds, so the writer of a lock this old has exited. */
const staleMs = 10_000;
const retryMs = 20;
const graceMs = 1000;

/** If others could read the file, makes it private and says so. */
export function readPrivateFile(io: Io, file: string): string | null {
  const text = readTextOrNullSync(file);
  if (text !== null) closeToOthers(io, file);
  return text;
}

/** Concurrent calls take turns. If `change` throws, the file stays unchanged. */
export async function replacePrivateFile(
  io: Io,
  named: string,
  change: (text: string | null) => string,
): Promise<void> {
  makeFolder(dirname(named), 0o700);
  // If the path is a link, this replaces the link's target.
  const file = trueName(named);
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

/** Removes a stale lock. Throws a conflict if other processes keep taking the lock. */
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
