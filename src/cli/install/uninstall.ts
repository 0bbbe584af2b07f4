// Takes away what an installation has laid, and nothing else: what was changed since stays, unless it is
// asked for; what others have put into our folders stays always.

import { dirname } from "node:path";
import { CliError, exit } from "../exit.ts";
import type { Disk } from "./disk.ts";
import { telling } from "./failures.ts";
import { placesBelow } from "./layout.ts";
import { type Manifest, manifestPath, readManifest } from "./manifest.ts";
import { otherPrograms } from "./others.ts";
import { requireOwnFolders } from "./trust.ts";

export interface Removal {
  action: "remove" | "leave";
  path: string;
  note: string | null;
}

export interface PreparedRemoval {
  version: string;
  removals: Removal[];
  /** Answers the folders that stay because something is in them. Stops between two steps at the signal. */
  carryOut: (signal: AbortSignal) => Promise<string[]>;
}

/**
 * Changes nothing. `purge`: what was changed goes too; settings that another installation uses never do. Throws a CliError when nothing is installed below the
 * prefix, and when others could have written the list of it.
 */
export async function prepareRemoval(
  disk: Disk,
  prefix: string,
  purge: boolean,
): Promise<PreparedRemoval> {
  const manifest = await readManifest(disk, prefix);
  if (manifest === null) throw nothingThere(disk, prefix);
  await requireOwnFolders(disk, [manifestPath(prefix), ...Object.keys(manifest.files)]);
  const removals: Removal[] = [];
  const [other] = await otherPrograms(disk, prefix);
  const shared = `${placesBelow(prefix).configuration}/platform/`;
  // What was laid last needs what was laid before it.
  for (const [path, identities] of Object.entries(manifest.files).reverse()) {
    const there = await disk.see(path);
    if (there === null) continue;
    const isOurs = identities.includes(there.identity);
    if (other && path.startsWith(shared)) removals.push(left(path, `${other} uses it too`));
    else if (isOurs) removals.push({ action: "remove", path, note: null });
    else if (there.identity === "folder") removals.push(left(path, "a folder now"));
    else if (purge) removals.push({ action: "remove", path, note: "changed here" });
    else removals.push(left(path, "changed here: it is yours"));
  }
  return {
    version: manifest.version,
    removals,
    carryOut: (signal) => carryOut(disk, prefix, manifest, removals, signal),
  };
}

/** The list goes last: an interrupted one is gone on with. */
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
    if (!stays.has(path)) await telling(disk, path, () => disk.remove(path));
  }
  const list = manifestPath(prefix);
  await telling(disk, list, () => disk.remove(list));
  const all = [...new Set([...folders, dirname(list)])];
  const kept: string[] = [];
  for (const folder of all.sort(deepestFirst)) {
    if (!(await disk.removeFolder(folder))) kept.push(folder);
  }
  return kept;
}

function left(path: string, note: string): Removal {
  return { action: "leave", path, note };
}

function deepestFirst(a: string, b: string): number {
  return b.split("/").length - a.split("/").length;
}

function nothingThere(disk: Disk, prefix: string): CliError {
  return new CliError(
    exit.notFound,
    `nothing is installed there: there is no ${disk.at(manifestPath(prefix))}. If it is elsewhere, name ` +
      "its --prefix; what a package has installed is removed as a package.",
    { code: "NOT_INSTALLED" },
  );
}
