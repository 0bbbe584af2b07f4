// Whether what lies in a folder can only have been put there by this user or by who rules the machine:
// code is loaded from it.

import type { Stats } from "node:fs";
import { isRulers, wayTo } from "../lib/files/way-to.ts";

const writableByOthers = 0o022;
const sticky = 0o1000;

/**
 * Throws when another user could put something in the place of the folder, or of what this user has in it.
 * Of a folder that is not there, what there is of the way to it counts. Windows keeps the folders of a user
 * from others by itself.
 */
export function requireTrusted(folder: string): void {
  if (process.platform === "win32") return;
  for (const { path, stats } of wayTo(folder)) {
    if (!isOwn(stats) && !isRulers(stats)) throw new Error(`${path} belongs to another user`);
    if (stats.isSymbolicLink()) continue;
    // In a folder like /tmp nobody can touch what belongs to others.
    if ((stats.mode & writableByOthers) !== 0 && (stats.mode & sticky) === 0) {
      throw new Error(`others can write to ${path}`);
    }
  }
}

/** Whether it belongs to this user. Windows does not say. */
export function isOwn({ uid }: Stats): boolean {
  return process.platform === "win32" || uid === process.geteuid?.();
}
