// Makes a folder with all above it, one by one. (Node's own `recursive` never ends where the kernel goes
// on saying that there is no such place, as it does below /proc.)

import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * A folder that exists keeps its mode; the new ones get `mode`. Throws what the system says, with its
 * `code`, and ENOTDIR when something else is there.
 */
export function makeFolder(path: string, mode: number): void {
  const missing: string[] = [];
  for (let folder = resolve(path); !existsSync(folder); folder = dirname(folder)) {
    missing.push(folder);
  }
  for (const folder of missing.reverse()) makeOne(folder, mode);
  if (!statSync(path).isDirectory()) throw notFolder(path);
}

/** Somebody else may make it at the same time. */
function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function notFolder(path: string): Error {
  return Object.assign(new Error(`${path} is no folder`), { code: "ENOTDIR" });
}
