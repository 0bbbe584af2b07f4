// The files that come with this program. It runs from its sources, from a bundle, and as one packaged
// file with all of them inside; this is the only place that knows how to find them in each.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getAssetKeys, isSea } from "node:sea";
import { fileURLToPath } from "node:url";
import { readAsset } from "./packaged-assets.ts";

/** Where the console is, once it has been built. */
export const consoleFolder = "dist/console/";
/** The names of its files, which the build writes last. */
export const consoleListing = `${consoleFolder}listing.json`;

/** Whether this program is a single file, Node.js and all. */
export const isPackaged = isSea();

/** The file by which Node starts this program again; null when the executable is the program. */
export function mainFile(): string | null {
  if (isPackaged) return null;
  const path = import.meta.url.endsWith(".ts") ? "src/main.ts" : "dist/main.js";
  return fileURLToPath(new URL(path, projectRoot()));
}

/** The text of a file, by its path from the project's root. Throws when the installation is not whole. */
export function readProjectFile(path: string): string {
  return readProjectBytes(path).toString();
}

/** The same for its bytes. */
export function readProjectBytes(path: string): Buffer {
  return isPackaged ? readAsset(path) : readFileSync(new URL(path, projectRoot()));
}

export function hasProjectFile(path: string): boolean {
  return isPackaged ? getAssetKeys().includes(path) : existsSync(new URL(path, projectRoot()));
}

/** The names in a folder, which ends in a slash: `migrations/sqlite/`. */
export function projectFileNames(folder: string): string[] {
  if (!isPackaged) return readdirSync(new URL(folder, projectRoot()));
  const inside = getAssetKeys().filter((path) => path.startsWith(folder));
  return inside.map((path) => path.slice(folder.length));
}

let root: URL | null = null;

function projectRoot(): URL {
  root ??= nearestPackage(import.meta.url);
  return root;
}

/** The folder of the package.json above this file: how deep a bundle lies is the bundler's matter. */
function nearestPackage(from: string): URL {
  let folder = new URL(".", from);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`there is no package.json above ${from}`);
    folder = above;
  }
  return folder;
}
