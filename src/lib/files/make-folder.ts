import { existsSync, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Creates the folder and its missing parents; only new folders get `mode`. Throws ENOTDIR if the
 * path is not a folder. Node's `recursive` option is not used, because it never returns below
 * /proc.
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

function makeOne(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    // Another process may have just created it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
