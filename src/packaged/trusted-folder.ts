// Checks a folder from which code is loaded: only this user and root may put files into it.

import type { Stats } from "node:fs";
import { isOwnedByRoot, placesOnPath, stickyBit } from "../lib/files/path-places.ts";

const writableByOthers = 0o022;

/**
 * Throws if another user could replace the folder or this user's files in it. If the folder is
 * missing, checks its nearest existing parent. Windows protects user folders itself.
 */
export function requireTrusted(folder: string): void {
  if (process.platform === "win32") return;
  for (const { path, stats } of placesOnPath(folder)) {
    if (!isOwn(stats) && !isOwnedByRoot(stats)) throw new Error(`${path} belongs to another user`);
    if (stats.isSymbolicLink()) continue;
    // A sticky folder such as /tmp protects files from other users.
    if ((stats.mode & writableByOthers) !== 0 && (stats.mode & stickyBit) === 0) {
      throw new Error(`others can write to ${path}`);
    }
  }
}

/** Always true on Windows, which reports no owner. */
export function isOwn({ uid }: Stats): boolean {
  return process.platform === "win32" || uid === process.geteuid?.();
}
