// Who else could change what lies in a data folder: nobody may, for the folder is the credential.

import { type Stats, statSync } from "node:fs";
import { AppError } from "../../domain/errors.ts";
import { ownerToBecome } from "../../lib/files/owner-to-become.ts";

/**
 * Throws when this process has root's rights and another user could put a link in the place of `file`, or change
 * the way to it. Commands become that user first (cli/files/data-owner.ts); this finds one that forgot.
 */
export function requireOwnFolder(file: string): void {
  const owner = ownerToBecome(file);
  if (owner === null) return;
  throw new Error(`${owner.path} belongs to user ${owner.uid}: root must not work there`);
}

/** Throws AppError UNAVAILABLE when every user of this host may write to the data folder. */
export function refuseOpenFolder(folder: string): void {
  const mode = modeOf(folder);
  if ((mode & 0o002) === 0) return;
  throw new AppError(
    "UNAVAILABLE",
    `Cannot use the data folder ${folder}: every user of this host may write to it (mode ` +
      `${(mode & 0o7777).toString(8)}), and so replace the database and its keys. Run chmod 700 on it, or ` +
      "name a folder in it that does not exist yet, which is then made for its owner alone.",
  );
}

export function mayGroupWrite(folder: string): boolean {
  return (modeOf(folder) & 0o020) !== 0;
}

/** 0 for none; Windows has no such modes. */
function modeOf(folder: string): number {
  return process.platform === "win32" ? 0 : (statsOf(folder)?.mode ?? 0);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // Out of reach: who opens the database is told.
    return undefined;
  }
}
