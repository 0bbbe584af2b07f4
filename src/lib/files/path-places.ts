// Finds every folder and link that the kernel follows to reach a path. Anyone who can change one of
// them can redirect the path.

import { existsSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

export interface PathPlace {
  path: string;
  /** For a link, the stats of the link itself, not of its target. */
  stats: Stats;
}

/** The mode bit of a folder in which users can replace only their own files. */
export const stickyBit = 0o1000;

/** Linux follows at most this many links. */
const maxLinks = 40;

/**
 * Returns every place from the root to the path, or to its deepest folder that exists. Throws the
 * system's error for an unreadable folder or circular links.
 */
export function placesOnPath(path: string): PathPlace[] {
  const named = resolve(path);
  // Only the native realpathSync resolves `..` after a link as the kernel does.
  return [...walk(named, 0), ...walk(realpathSync.native(deepestThere(named)), 0)];
}

/** Whether root owns a place. In a container, root's UID may be unknown, but root owns `/`. */
export function isOwnedByRoot({ uid }: Stats): boolean {
  return uid === 0 || uid === statSync("/").uid;
}

function* walk(path: string, links: number): Generator<PathPlace> {
  if (links > maxLinks)
    throw Object.assign(new Error(`${path}: too many links`), { code: "ELOOP" });
  if (dirname(path) !== path) yield* walk(dirname(path), links);
  const stats = statsOf(path);
  if (!stats) return;
  yield { path, stats };
  if (stats.isSymbolicLink()) yield* walk(resolve(dirname(path), readlinkSync(path)), links + 1);
}

function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // ENOTDIR means that the parent is a file, so the path ends there.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function deepestThere(path: string): string {
  return existsSync(path) ? path : deepestThere(dirname(path));
}
