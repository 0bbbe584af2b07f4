// Root does nothing in a data folder of another user, who could put a link in the place of any file. Commands
// become that user first (cli/data-owner.ts); this finds the one that forgot to.

import { statSync } from "node:fs";
import { dirname } from "node:path";

/** Throws when this process has root's rights and the folder of `file` belongs to another user. */
export function requireOwnFolder(file: string): void {
  if (process.geteuid?.() !== 0) return;
  const folder = dirname(file);
  const owner = statSync(folder, { throwIfNoEntry: false })?.uid ?? 0;
  if (owner !== 0) throw new Error(`${folder} belongs to user ${owner}: root must not work there`);
}
