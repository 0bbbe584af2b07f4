// Stores a copy of the signed head outside the database. The copy shows whether someone who can
// write only to the database has emptied the trail. It is never newer than the trail.
// (docs/guides/audit.md)

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Place } from "../../domain/storage/place.ts";
import { replaceFile } from "../../lib/files/private-file.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { trueName } from "../../lib/files/true-name.ts";
import { type SignedLink, toSignedLink } from "./signatures.ts";

export const headCopySuffix = ".audit-head";

/** Each database in a folder has its own copy. */
export function headCopyOf(databaseFile: string): string {
  return trueName(databaseFile) + headCopySuffix;
}

/** Returns the path of the copy for the database at `place`. */
export function headCopyFileOf(place: Place): string {
  return place.kind === "file" ? headCopyOf(place.file) : place.headCopyFile;
}

/**
 * Removes the drafts that killed processes left. A process that is writing its copy at the same
 * time may fail once.
 */
export function removeLeftHeadDrafts(databaseFile: string): void {
  const file = headCopyOf(databaseFile);
  const folder = dirname(file);
  const isLeft = (name: string) =>
    name.startsWith(`${basename(file)}.`) && /\.\d+\.new$/.test(name);
  for (const name of readdirSync(folder).filter(isLeft))
    rmSync(join(folder, name), { force: true });
}

/**
 * Returns undefined if there is no copy, and a link with an invalid signature if the copy is
 * unreadable.
 */
export function readHeadCopy(file: string): SignedLink | undefined {
  try {
    const text = readTextOrNullSync(file);
    return text === null ? undefined : toSignedLink(JSON.parse(text));
  } catch {
    return toSignedLink(null);
  }
}

/** The write is atomic, because a partial copy would look forged. */
export function writeHeadCopy(file: string, head: SignedLink): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  return replaceFile(file, `${JSON.stringify(head)}\n`, { draft });
}
