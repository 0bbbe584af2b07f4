// Checks who else can change the folders of the data and the keys, because write access to them
// amounts to full control.

import { accessSync, constants, type Stats, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { AppError } from "../../domain/errors.ts";
import type { Place } from "../../domain/storage/place.ts";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { stickyBit } from "../../lib/files/path-places.ts";
import { findUntrustedUser } from "../../lib/files/untrusted-user.ts";

/**
 * Throws if this process is root and another user could redirect the path or replace the file.
 * Commands refuse earlier, with advice (cli/files/refuse-root.ts).
 */
export function requireOwnFolder(file: string): void {
  const user = findUntrustedUser(file);
  if (user === null) return;
  throw new Error(`${user.path} belongs to UID ${user.uid}: root must not write there`);
}

/** Throws AppError UNAVAILABLE if every user of this host can write to the data folder. */
export function refuseOpenFolder(folder: string): void {
  const mode = modeOf(folder);
  if ((mode & 0o002) === 0) return;
  throw new AppError(
    "UNAVAILABLE",
    `Cannot use the data folder ${folder}: every user of this host can write to it (mode ` +
      `${(mode & 0o7777).toString(8)}), and can therefore replace the database and its keys. Run chmod 700 on it, or ` +
      "name a new folder in it, which is then created with mode 700.",
  );
}

/**
 * Throws AppError UNAVAILABLE if every user of this host can replace files in a folder of keys. In
 * a folder with the sticky bit, only the owner of a file can.
 */
export function refuseOpenKeys(folder: string): void {
  const mode = modeOf(folder);
  if ((mode & 0o002) === 0 || (mode & stickyBit) !== 0) return;
  throw new AppError(
    "UNAVAILABLE",
    `Cannot use the keys in ${folder}: every user of this host can write to that folder (mode ` +
      `${(mode & 0o7777).toString(8)}), and can therefore replace them. Run chmod o-w on it.`,
  );
}

export function mayGroupWrite(folder: string): boolean {
  return (modeOf(folder) & 0o020) !== 0;
}

/** Returns a sentence for each folder that its group can write to. */
export function groupWarnings(place: Place): string[] {
  const { data, keys } = foldersOf(place);
  const what = place.kind === "file" ? "the database and its keys" : "the copy of the audit head";
  return [
    ...(mayGroupWrite(data) ? [`the group of ${data} can replace ${what}: chmod g-w`] : []),
    ...keys
      .filter(mayGroupWrite)
      .map((folder) => `the group of ${folder} can replace the keys in it: chmod g-w`),
  ];
}

/** Returns a sentence for each key that users other than its owner and group can open. */
export function openKeyWarnings({ auditKeyFile, sessionKeyFile }: Place): string[] {
  const files = [auditKeyFile, ...(sessionKeyFile === null ? [] : [sessionKeyFile])];
  return files
    .filter((file) => (modeOf(file) & 0o007) !== 0)
    .map((file) => `every user of this host can open the key ${file}: chmod 600`);
}

/** Creates the folder if it is missing. Throws AppError UNAVAILABLE if it cannot be used. */
export function makeOwnFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700);
    requireOwnFolder(join(folder, "file"));
    accessSync(folder, constants.W_OK);
  } catch (error) {
    const message = `Cannot use the data folder ${folder}: ${(error as Error).message}.`;
    throw new AppError("UNAVAILABLE", message, { cause: error });
  }
}

/** `keys` are the folders of keys that are not in the data folder. */
export function foldersOf(place: Place): { data: string; keys: string[] } {
  const data = place.kind === "file" ? place.folder : dirname(place.headCopyFile);
  const files = [place.auditKeyFile, place.sessionKeyFile ?? place.auditKeyFile];
  const keys = new Set(files.map((file) => dirname(file)));
  keys.delete(data);
  return { data, keys: [...keys] };
}

/** Returns 0 for a missing file and on Windows, which has no such modes. */
function modeOf(path: string): number {
  return process.platform === "win32" ? 0 : (statsOf(path)?.mode ?? 0);
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // The path cannot be accessed; opening the database reports that.
    return undefined;
  }
}
