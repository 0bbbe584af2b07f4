// Who root must be to work on a file: the first user who can change where the path to it leads. A check of the
// last folder alone follows the links of whoever owns the folders above it.
// (docs/decisions/0013-local-access.md)

import { existsSync, type Stats } from "node:fs";
import { dirname, resolve } from "node:path";
import { findAccount } from "./accounts.ts";
import type { Identity } from "./acting-user.ts";
import { isRulers, type Passed, wayTo } from "./way-to.ts";

export interface Owner extends Identity {
  /** The folder, link or file that belongs to this user. */
  path: string;
}

/** Several users could change where the path leads, or what lies beside the file: there is no one to become. */
export class SharedWay extends Error {
  readonly path: string;

  constructor(path: string) {
    super(`other users may write to ${path}`);
    this.path = path;
  }
}

const writableByGroup = 0o020;
const writableByAll = 0o002;
const sticky = 0o1000;

/**
 * Null when root can work on this file, there or not, as root: nobody else can change a folder or a link on the
 * way to it, nor put a link beside it. Null, too, when this process is not root. Throws SharedWay when root may
 * not work there and there is no user to become; what the system says of a path that cannot be followed.
 */
export function ownerToBecome(file: string): Owner | null {
  if (process.geteuid?.() !== 0) return null;
  const way = wayTo(file);
  for (const [index, passed] of way.entries()) {
    const { path, stats } = passed;
    const folder = holderOf(passed, way[index - 1]);
    const decides = stats.isDirectory() || stats.isSymbolicLink() || (folder && isShared(folder));
    if (decides && !isRulers(stats)) return { path, ...identityOf(stats) };
    if (folder && isReplaceable(folder, stats)) throw new SharedWay(dirname(path));
    if (isShared(stats) && isLast(way, index) && !isStickyAbove(file, stats)) {
      throw new SharedWay(path);
    }
  }
  return null;
}

/** The folder that this lies in; the first on the way lies in none. */
function holderOf({ path }: Passed, before: Passed | undefined): Stats | null {
  return dirname(path) !== path && before ? before.stats : null;
}

/** Whether nothing that lies in this is on the way: the next, if any, is another start from the top. */
function isLast(way: readonly Passed[], index: number): boolean {
  const next = way[index + 1];
  return !next || dirname(next.path) === next.path;
}

/**
 * What root has in a folder of others, they can replace, unless it is sticky, as /tmp is. There root's folders
 * and links are safe; a database is not, for others can put links beside it.
 */
function isReplaceable(folder: Stats, there: Stats): boolean {
  if (!isShared(folder)) return false;
  return (folder.mode & sticky) === 0 || !(there.isDirectory() || there.isSymbolicLink());
}

/** A folder that is still to be made in a sticky one is root's from then on, and is checked once it is there. */
function isStickyAbove(file: string, { mode }: Stats): boolean {
  return (mode & sticky) !== 0 && !existsSync(dirname(resolve(file)));
}

/** Nobody but root is in root's group. */
function isShared(stats: Stats): boolean {
  if (!stats.isDirectory()) return false;
  const isOfGroup = (stats.mode & writableByGroup) !== 0 && stats.gid !== 0;
  return isOfGroup || (stats.mode & writableByAll) !== 0;
}

/** Nobody but root works in root's group. */
function identityOf({ uid, gid }: Stats): Identity {
  return { uid, gid: gid === 0 ? (findAccount(uid)?.gid ?? uid) : gid };
}
