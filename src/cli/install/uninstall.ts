// Removes what an installation has written, but not what others have put into our folders.

import { dirname } from "node:path";
import { CliError, exit } from "../exit.ts";
import { type Disk, folderIdentity } from "./disk.ts";
import { placesBelow } from "./layout.ts";
import { manifestPath, readManifest } from "./manifest.ts";
import { otherPrograms } from "./other-installations.ts";
import { carryOut, explained, requireOwnFolders, type Step } from "./steps.ts";

/** `purge` also removes changed files, except settings that another installation uses. */
export async function prepareRemoval(disk: Disk, prefix: string, purge: boolean) {
  const list = manifestPath(prefix);
  const manifest = await readManifest(disk, prefix);
  if (manifest === null) throw notInstalled(disk, prefix);
  await requireOwnFolders(disk, [list, ...Object.keys(manifest.files)]);
  const [other] = await otherPrograms(disk, prefix);
  const shared = `${placesBelow(prefix).configuration}/platform/`;
  const steps: Step[] = [];
  // Goes in reverse order, because later files need earlier ones.
  for (const [path, identities] of Object.entries(manifest.files).reverse()) {
    const found = await explained(disk.at(path), () => disk.find(path));
    const what = path.includes("/man/") ? "man page" : "file";
    const leave = (note: string) => steps.push({ action: "leave", what, path, note });
    const remove = (note: string | null) =>
      steps.push({ action: "remove", what, path, note, act: () => disk.remove(path) });
    if (found === null) continue;
    if (other && path.startsWith(shared)) leave(`${other} uses it too`);
    else if (identities.includes(found.identity)) remove(null);
    else if (found.identity === folderIdentity) leave("is now a folder");
    else if (purge) remove("changed here");
    else leave("changed here, so it is kept");
  }
  return {
    version: manifest.version,
    steps,
    /**
     * Returns the folders that remain. The list of files is removed after the files, so that an
     * interrupted removal can be resumed.
     */
    async carryOut(signal: AbortSignal): Promise<string[]> {
      for (const path of Object.keys(manifest.files)) {
        await explained(disk.at(path), () => disk.removeDraft(path));
      }
      await carryOut(disk, steps, signal);
      await explained(disk.at(list), () => disk.remove(list));
      const kept: string[] = [];
      for (const folder of [...new Set([...manifest.folders, dirname(list)])].sort(deepestFirst)) {
        if (!(await disk.removeFolder(folder))) kept.push(folder);
      }
      return kept;
    },
  };
}

function deepestFirst(a: string, b: string): number {
  return b.split("/").length - a.split("/").length;
}

function notInstalled(disk: Disk, prefix: string): CliError {
  const message =
    `nothing is installed below this prefix: ${disk.at(manifestPath(prefix))} does not exist. If the program is elsewhere, give ` +
    "its --prefix. If a package installed the program, remove the package.";
  return new CliError(exit.notFound, message, { code: "NOT_INSTALLED" });
}
