// Root changes nothing in a folder that another user can write to: that user could turn the change upon
// something else, or put another program in the place of what was laid.

import { dirname } from "node:path";
import { CliError, exit } from "../exit.ts";
import type { Disk } from "./disk.ts";

/** Throws a CliError for the first of these paths that is in such a folder. Others than root harm only themselves. */
export async function requireOwnFolders(disk: Disk, paths: readonly string[]): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { requireTrusted } = await import("../../packaged/trusted-folder.ts");
  for (const folder of new Set(paths.map((path) => dirname(disk.at(path))))) {
    try {
      requireTrusted(folder);
    } catch (error) {
      throw new CliError(
        exit.conflict,
        `${(error as Error).message}, and could change what root does there, or what runs from there. Let ` +
          "root alone write to it (chown root, chmod go-w), or choose another --prefix.",
        { code: "FOLDER_OF_OTHERS", details: { folder } },
      );
    }
  }
}
