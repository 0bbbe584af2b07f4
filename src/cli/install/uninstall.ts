// Removes what an installation has written, but not what others have put into our folders.

import { dirname } from "node:path";
import { CliError, exit } from "../exit.ts";
import type { Disk } from "./disk.ts";
import { requireOwnFolders, resumable } from "./failures.ts";
import { placesBelow } from "./layout.ts";
import { type Manifest, manifestPath, readManifest } from "./manifest.ts";
import { otherPrograms } from "./others.ts";
import type { Step } from "./plan.ts";

type Removal = Pick<Step, "action" | "path" | "note">;

/** `purge` also removes changed files, except settings that another installation uses. */
export async function prepareRemoval(disk: Disk, prefix: string, purge: boolean) {
  const manifest = await readManifest(disk, prefix);
  if (manifest === null) throw notInstalled(disk, prefix);
  await requireOwnFolders(disk, [manifestPath(prefix), ...Object.keys(manifest.files)]);
  const removals: Removal[] = [];
  const [other] = await otherPrograms(disk, prefix);
  const shared = `${placesBelow(prefix).configuration}/platform/`;
  const leave = (path: string, note: string) => removals.push({ action: "leave", path, note });
  // Goes in reverse order, because later files need earlier ones.
  for (const [path, identities] of Object.entries(manifest.files).reverse()) {
    const found = await disk.see(path);
    if (found === null) continue;
    const isOurs = identities.includes(found.identity);
    if (other && path.startsWith(shared)) leave(path, `${other} uses it too`);
    else if (isOurs) removals.push({ action: "remove", path, note: null });
    else if (found.identity === "folder") leave(path, "is now a folder");
    else if (purge) removals.push({ action: "remove", path, note: "changed here" });
    else leave(path, "changed here, so it is kept");
  }
  return {
    version: manifest.version,
    removals,
    carryOut: (signal: AbortSignal) => carryOut(disk, prefix, manifest, removals, signal),
  };
}

/**
 * Returns the folders that are not empty. Removes the list last, so that the next run can resume.
 */
async function carryOut(
  disk: Disk,
  prefix: string,
  { files, folders }: Manifest,
  removals: readonly Removal[],
  signal: AbortSignal,
): Promise<string[]> {
  const stays = new Set(
    removals.filter(({ action }) => action === "leave").map(({ path }) => path),
  );
  for (const path of Object.keys(files).reverse()) {
    signal.throwIfAborted();
    if (!stays.has(path)) await resumable(disk, path, () => disk.remove(path));
  }
  const list = manifestPath(prefix);
  await resumable(disk, list, () => disk.remove(list));
  const all = [...new Set([...folders, dirname(list)])];
  const kept: string[] = [];
  for (const folder of all.sort(deepestFirst)) {
    if (!(await disk.removeFolder(folder))) kept.push(folder);
  }
  return kept;
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
