// Root works in the data folder of the user that the service runs as: what it makes there belongs to that
// user, or the service could not open it.

import { chownSync, type Stats, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * For root: gives a new file or folder the owner of `database`, or of its folder when there is none. Whoever
 * else makes a file owns it anyway. Where a disk knows no owners, nothing happens.
 */
export function giveToOwnerOf(database: string, made: string): void {
  if (process.geteuid?.() !== 0) return;
  const owner = statsOf(database) ?? statsOf(dirname(database));
  if (!owner || (owner.uid === 0 && owner.gid === 0)) return;
  try {
    chownSync(made, owner.uid, owner.gid);
  } catch {
    // `platform doctor` tells of a file that belongs to somebody else.
  }
}

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}
