// Locates the files that ship with this program, whether it runs from its sources, from a bundle, or as one
// packaged file that contains them.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getAssetKeys, isSea } from "node:sea";
import { fileURLToPath } from "node:url";
import { readAsset } from "./packaged-assets.ts";

/** The built console. */
export const consoleFolder = "dist/console/";
/** Lists its files; the build writes it last. */
export const consoleListing = `${consoleFolder}listing.json`;

/** Whether this program is a single file that includes Node.js. */
export const isPackaged = isSea();

/** The file with which Node starts this program; null if the executable is the program. */
export function mainFile(): string | null {
  if (isPackaged) return null;
  const path = import.meta.url.endsWith(".ts") ? "src/main.ts" : "dist/main.js";
  return fileURLToPath(new URL(path, projectRoot()));
}

/** Takes the path from the project's root. Throws if the installation is incomplete. */
export function readProjectFile(path: string): string {
  return readProjectBytes(path).toString();
}

export function readProjectBytes(path: string): Buffer {
  return isPackaged ? readAsset(path) : readFileSync(new URL(path, projectRoot()));
}

export function hasProjectFile(path: string): boolean {
  return isPackaged ? getAssetKeys().includes(path) : existsSync(new URL(path, projectRoot()));
}

/** The names in a folder, given with a slash at the end: `migrations/sqlite/`. */
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

/** The nearest folder above this file with a package.json; a bundle can be at any depth. */
function nearestPackage(from: string): URL {
  let folder = new URL(".", from);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`found no package.json above ${from}`);
    folder = above;
  }
  return folder;
}
