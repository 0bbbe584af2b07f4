// Every folder and every link that the kernel passes on its way to a path: whoever can change one of them
// decides where the path leads.

import { existsSync, lstatSync, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

export interface Passed {
  path: string;
  /** Of the link itself where it is one. */
  stats: Stats;
}

/** As many links as Linux follows. */
const maxLinks = 40;

/**
 * What is passed, from the root on, the path itself included. Of a path that does not exist, what there is of
 * the way to it. Throws what the system says of a folder that cannot be looked into, and of links in a circle.
 */
export function wayTo(path: string): Passed[] {
  const named = resolve(path);
  // `..` behind a link leads elsewhere than the text says, and realpathSync itself goes by the text.
  return [...walk(named, 0), ...walk(realpathSync.native(deepestThere(named)), 0)];
}

/**
 * Whether it belongs to whoever rules the machine. In a container that may be somebody of no number that is known
 * there: the root folder is theirs.
 */
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

/** Undefined when it is not there. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // Below a file there is nothing.
    if ((error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw error;
  }
}

function deepestThere(path: string): string {
  return existsSync(path) ? path : deepestThere(dirname(path));
}
