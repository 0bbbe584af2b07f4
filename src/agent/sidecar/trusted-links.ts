// Where a path leads, link by link. A link that the managed service's user has put in the place of its file would
// make the agent read, and show, files that only the agent may read.

import { lstat, readlink, stat } from "node:fs/promises";
import { dirname, isAbsolute, join, resolve } from "node:path";

/** As many as Linux follows. */
const maxLinks = 40;

/**
 * The path without links in it. Throws an Error that says why when a link on the way was made by another user than
 * root or the agent's own; and what the system says.
 */
export async function followTrustedLinks(path: string): Promise<string> {
  // Links there are for administrators to make.
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
        `${next} is a link of user ${stats.uid}, who could make it lead anywhere: name the file itself, or ` +
          "say followLinks: true",
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
