// The copy of the trail's signed head that lies in a file beside the audit key: what shows that a trail was
// emptied, signed head and all, by somebody who can write the database only. It names a row that was
// durable when it was written, so it may lag behind the trail, and is never ahead of it. (docs/audit.md)

import { readdirSync, readFileSync, rmSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
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
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    return toSignedLink(null);
  }
  try {
    return toSignedLink(JSON.parse(text));
  } catch {
    return toSignedLink(null);
  }
}

/** Whole or not at all: a half-written one would look forged. Does not hold up the event loop. */
export async function writeHeadCopy(file: string, head: SignedLink): Promise<void> {
  const draft = `${file}.${process.pid}.new`;
  await rm(draft, { force: true });
  try {
    // Never through a link that somebody else has put there.
    const handle = await open(draft, "wx", 0o600);
    try {
      await handle.writeFile(`${JSON.stringify(head)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
