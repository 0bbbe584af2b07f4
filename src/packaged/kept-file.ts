// A file that is unpacked once and reused by later starts. An existing file is used only if no
// other user could have put it there and its content matches the digest in its path.

import { createHash } from "node:crypto";
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../lib/files/make-folder.ts";
import { makeDraftFolder } from "./draft-folder.ts";
import { isOwn, requireTrusted } from "./trusted-folder.ts";

/**
 * `name` is `<group>/<SHA-256>/<file>`. Calls `content` only if the file is missing or damaged.
 * Several processes may call this at the same time. Throws if others can write to the folder.
 */
export function keepFile(folder: string, name: string, content: () => Uint8Array): string {
  requireTrusted(folder);
  const file = join(folder, name);
  const home = dirname(file);
  makeFolder(home, 0o700);
  // The folder may have existed before, or may be a link.
  requireTrusted(home);
  if (!isWhole(file, basename(home))) write(file, content());
  return file;
}

function isWhole(file: string, sha256: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || !isOwn(stats)) return false;
  return createHash("sha256").update(readFileSync(file)).digest("hex") === sha256;
}

/** Other processes see the old file, no file, or the complete new one. */
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
