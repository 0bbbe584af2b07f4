// The copy of the trail's signed head that lies in a file beside the audit key: what shows that a trail was
// emptied, signed head and all, by somebody who can write the database only. It names a row that was
// durable when it was written, so it may lag behind the trail, and is never ahead of it. (docs/audit.md)

import { readdirSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { replaceFile } from "../../lib/files/private-file.ts";
import { readTextOrNullSync } from "../../lib/files/read-text.ts";
import { trueName } from "../engine/database-lock.ts";
import { type SignedLink, toSignedLink } from "./signatures.ts";

/** Behind the name of the database that it belongs to. */
export const headCopySuffix = ".audit-head";

/** Each database of a folder has its own. */
export function headCopyOf(databaseFile: string): string {
  return trueName(databaseFile) + headCopySuffix;
}

/**
 * Removes what processes that were killed while they wrote have left. Of one that is writing at this moment the
 * copy may fail; the next one is written soon.
 */
export function removeLeftHeadDrafts(databaseFile: string): void {
  const file = headCopyOf(databaseFile);
  const folder = dirname(file);
  const isLeft = (name: string) =>
    name.startsWith(`${basename(file)}.`) && /\.\d+\.new$/.test(name);
  for (const name of readdirSync(folder).filter(isLeft))
    rmSync(join(folder, name), { force: true });
}

/** Undefined when there is none; one that cannot be read is one that is not genuine. */
export function readHeadCopy(file: string): SignedLink | undefined {
  try {
    const text = readTextOrNullSync(file);
    return text === null ? undefined : toSignedLink(JSON.parse(text));
  } catch {
    return toSignedLink(null);
  }
}

/** A half-written one would look forged. Does not hold up the event loop. */
export function writeHeadCopy(file: string, head: SignedLink): Promise<void> {
  return replaceFile(file, `${JSON.stringify(head)}\n`, `${file}.${process.pid}.new`);
}
