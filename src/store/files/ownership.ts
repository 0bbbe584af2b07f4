// Checks who else can change a data folder, because write access to it amounts to full control.

import { type Stats, statSync } from "node:fs";
import { AppError } from "../../domain/errors.ts";
import { ownerToBecome } from "../../lib/files/owner-to-become.ts";

/**
 * Throws if this process is root and another user could redirect the path or replace the file.
 * Commands switch to that user first (cli/files/data-owner.ts).
 */
export function requireOwnFolder(file: string): void {
  const owner = ownerToBecome(file);
  if (owner === null) return;
  throw new Error(`${owner.path} belongs to UID ${owner.uid}: root must not work there`);
}

/** Throws AppError UNAVAILABLE if every user of this host can write to the data folder. */
export function refuseOpenFolder(folder: string): void {
  const mode = modeOf(folder);
  if ((mode & 0o002) === 0) return;
  throw new AppError(
    "UNAVAILABLE",
    `Cannot use the data folder ${folder}: every user of this host can write to it (mode ` +
      `${(mode & 0o7777).toString(8)}), and so replace the database and its keys. Run chmod 700 on it, or ` +
      "name a folder in it that does not exist yet; it is created with mode 700.",
  );
}

export function mayGroupWrite(folder: string): boolean {
  return (modeOf(folder) & 0o020) !== 0;
}

/** Returns 0 for a missing folder and on Windows, which has no such modes. */
function modeOf(folder: string): number {
  return process.platform === "win32" ? 0 : (statsOf(folder)?.mode ?? 0);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // The path cannot be accessed; opening the database reports that.
    return undefined;
  }
}
