// A file that is unpacked once and used by every start after that. What is found is not believed: nobody
// but this user may have been able to put it there, and its content must be the one that its name says.

import { createHash } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../lib/files/make-folder.ts";
import { makeDraftFolder } from "./draft-folder.ts";
import { isOwn, requireTrusted } from "./trusted-folder.ts";

/**
 * The path of a file with this content below the folder. `name` is `<group>/<SHA-256>/<file>`. The content is
 * asked for when it is not there, or spoilt. Any number of programs may do so at once. Throws when the
 * folder cannot be written, or others can write it.
 */
export function keepFile(folder: string, name: string, content: () => Uint8Array): string {
  requireTrusted(folder);
  const file = join(folder, name);
  const home = dirname(file);
  makeFolder(home, 0o700);
  // It may have been there, or have been a link.
  requireTrusted(home);
  if (!isWhole(file, basename(home))) write(file, content());
  return file;
}

function isWhole(file: string, sha256: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || !isOwn(stats)) return false;
  return createHash("sha256").update(readFileSync(file)).digest("hex") === sha256;
}

/** Whoever looks meanwhile sees the old file, or none, or the whole new one. */
function write(file: string, content: Uint8Array): void {
  const draft = makeDraftFolder(dirname(file), "new-");
  try {
    const whole = join(draft, basename(file));
    writeFileSync(whole, content, { mode: 0o500, flag: "wx" });
    renameSync(whole, file);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
