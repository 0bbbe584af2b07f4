// Refuses symbolic links that users other than root and the agent's user made. Through one, a
// service's user could make the agent read and show files that only the agent can read.

import { lstat, readlink, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** Linux has the same limit. */
const maxLinks = 40;

/**
 * Returns the path with its links resolved. Throws an Error if another user made one of the links.
 * Also throws the system's errors.
 */
export async function followTrustedLinks(path: string): Promise<string> {
  // On Windows only administrators create links.
  if (process.platform === "win32") return path;
  const trusted = [0, process.geteuid?.(), (await stat("/")).uid];
  const left = partsOf(resolve(path));
  let at = "/";
  let links = 0;
  for (let part = left.shift(); part !== undefined; part = left.shift()) {
    const next = part === ".." ? dirname(at) : join(at, part);
    const stats = await lstat(next);
    if (!stats.isSymbolicLink()) {
      at = next;
      continue;
    }
    if (!trusted.includes(stats.uid)) {
      throw new Error(
        `${next} is a link whose owner, UID ${stats.uid}, could point it anywhere: use the path of the ` +
          "file itself, or set followLinks: true",
      );
    }
    links++;
    if (links > maxLinks) throw new Error("too many links");
    const target = await readlink(next);
    if (isAbsolute(target)) at = "/";
    left.unshift(...partsOf(target));
  }
  return at;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "" && part !== ".");
}
