// Every folder and link that the kernel passes on the way to a path. Anyone who can change one of them can
// redirect the path.

import { existsSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

export interface Passed {
  path: string;
  /** If it is a link, of the link itself. */
  stats: Stats;
}

/** The mode bit of a folder in which users can replace only their own files. */
export const sticky = 0o1000;

/** As many links as Linux follows. */
const maxLinks = 40;

/**
 * Returns the way from the root to the path, including the path itself. If the path does not exist, the way ends
 * at the last folder that does. Throws the system's error for an unreadable folder or circular links.
 */
export function wayTo(path: string): Passed[] {
  const named = resolve(path);
  // `..` after a link does not lead where the text says; realpathSync (not native) goes by the text.
  return [...walk(named, 0), ...walk(realpathSync.native(deepestThere(named)), 0)];
}

/** Whether it belongs to root. In a container root's number may be unknown, but root owns the root folder. */
export function isRulers({ uid }: Stats): boolean {
  return uid === 0 || uid === statSync("/").uid;
}

function* walk(path: string, links: number): Generator<Passed> {
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
    // The parent is a file.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function deepestThere(path: string): string {
  return existsSync(path) ? path : deepestThere(dirname(path));
}
