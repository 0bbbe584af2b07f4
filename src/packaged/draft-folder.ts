// A folder of a name by chance for work that is soon done. One that is killed in the midst of it leaves its
// folder behind: the next removes it.

import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isOwn } from "./trusted-folder.ts";

/** Nobody needs one for so long. */
const staleMs = 3_600_000;

/** Its path begins with that of `folder` and the start of the name, which nothing else may have there. */
export function makeDraftFolder(folder: string, start: string): string {
  const draft = mkdtempSync(join(folder, start));
  const now = lstatSync(draft).mtimeMs;
  for (const name of readdirSync(folder).filter((other) => other.startsWith(start))) {
    try {
      const stats = lstatSync(join(folder, name));
      const isStale = stats.isDirectory() && isOwn(stats) && now - stats.mtimeMs > staleMs;
      if (isStale) rmSync(join(folder, name), { recursive: true, force: true });
    } catch {
      // Another removes it just now.
    }
  }
  return draft;
}
