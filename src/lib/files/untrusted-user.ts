// Finds the first user other than root who can redirect the path to a file
// (docs/decisions/0013-local-access.md).

import { constants, existsSync, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { isOwnedByRoot, type PathPlace, placesOnPath, stickyBit } from "./path-places.ts";

export interface UntrustedUser {
  uid: number;
  gid: number;
  /** The folder, link or file that belongs to the user. */
  path: string;
}

/** Thrown if several users could redirect the path or write next to the file. */
export class WritableByOthers extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`other users may write to ${path}`);
    this.path = path;
  }
}

/**
 * Returns null if this process is not root, or if no other user can change a folder or link on the
 * path or create a link next to the file. The file need not exist. Throws WritableByOthers if a
 * folder on the path belongs to root but others can write to it. Throws the system's error if the
 * path cannot be followed.
 */
export function findUntrustedUser(file: string): UntrustedUser | null {
  if (process.geteuid?.() !== 0) return null;
  const way = placesOnPath(file);
  for (const [index, passed] of way.entries()) {
    const { path, stats } = passed;
    const folder = holderOf(passed, way[index - 1]);
    const decides = stats.isDirectory() || stats.isSymbolicLink() || (folder && isShared(folder));
    if (decides && !isOwnedByRoot(stats)) return { path, uid: stats.uid, gid: stats.gid };
    if (folder && isReplaceable(folder, stats)) throw new WritableByOthers(dirname(path));
    if (isShared(stats) && isLast(way, index) && !isStickyAbove(file, stats)) {
      throw new WritableByOthers(path);
    }
  }
  return null;
}

/** Returns null for the root folder. */
function holderOf({ path }: PathPlace, before: PathPlace | undefined): Stats | null {
  return dirname(path) !== path && before ? before.stats : null;
}

/** Whether the path ends here, or the next place is the root again. */
function isLast(way: readonly PathPlace[], index: number): boolean {
  const next = way[index + 1];
  return !next || dirname(next.path) === next.path;
}

/**
 * Users who can write to a folder can replace root's files in it. In a sticky folder such as /tmp,
 * root's folders and links are safe, but other users can create links next to a database.
 */
function isReplaceable(folder: Stats, there: Stats): boolean {
  if (!isShared(folder)) return false;
  return (folder.mode & stickyBit) === 0 || !(there.isDirectory() || there.isSymbolicLink());
}

/** A new folder in a sticky folder will belong to root. It is checked once it exists. */
function isStickyAbove(file: string, { mode }: Stats): boolean {
  return (mode & stickyBit) !== 0 && !existsSync(dirname(resolve(file)));
}

/** Assumes that only root is in root's group. */
function isShared(stats: Stats): boolean {
  if (!stats.isDirectory()) return false;
  const isOfGroup = (stats.mode & constants.S_IWGRP) !== 0 && stats.gid !== 0;
  return isOfGroup || (stats.mode & constants.S_IWOTH) !== 0;
}
