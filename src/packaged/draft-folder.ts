// Temporary folders. If a process is killed, its folder remains until a later call removes it.

import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOwn } from "./trusted-folder.ts";

/** No folder is in use for nearly this long. */
const staleMs = 3_600_000;

/** No other names in `folder` may begin with `start`. */
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
