// Creates a folder and its missing parents, one by one. (Node's `recursive` never ends if the kernel keeps
// reporting that a parent does not exist, as it does below /proc.)

import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates the folder; only new folders get `mode`. Throws the system's error, or ENOTDIR if the
 * path is not a folder.
 */
export function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) {
    missing.push(folder);
  }
  for (const folder of missing.reverse()) makeOne(folder, mode);
  if (!statSync(path).isDirectory()) {
    throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
  }
}

/** Creates one folder, which another process may create at the same time. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
