// Temporary folders with random names. If a process is killed, its folder remains until a later
// call removes it.

import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOwn } from "./trusted-folder.ts";

/** The age at which a folder is removed: far longer than any folder is in use. */
const staleMs = 3_600_000;

/** Creates a folder below `folder`. No other names there may begin with `start`. */
export function makeDraftFolder(folder: string, start: string): string {
  const draft = mkdtempSync(join(folder, start));
  const now = lstatSync(draft).mtimeMs;
  for (const name of readdirSync(folder).filter((other) => other.startsWith(start))) {
    try {
      const stats = lstatSync(join(folder, name));
      const isStale = stats.isDirectory() && isOwn(stats) && now - stats.mtimeMs > staleMs;
      if (isStale) rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another process is removing this folder.
    }
  }
  return draft;
}
