// Locates the files that ship with this program, whether it runs from sources, from a bundle or as
// a packaged executable.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { getAssetKeys, isSea } from "node:sea";
import { fileURLToPath } from "node:url";
import { readAsset } from "./packaged-assets.ts";

export const consoleFolder = "dist/console/";
/** The build writes this list of the console's files last. */
export const consoleListing = `${consoleFolder}listing.json`;

/** Whether this program is a single file that includes Node.js. */
export const isPackaged = isSea();

/** Returns the file that Node runs; null for a packaged program, which contains Node. */
export function mainFile(): string | null {
  if (isPackaged) return null;
  return projectPath(import.meta.url.endsWith(".ts") ? "src/main.ts" : "dist/main.cjs");
}

/** Returns the absolute path of a project file. A packaged program has no such files. */
export function projectPath(path: string): string {
  return fileURLToPath(new URL(path, projectRoot()));
}

/** The path is relative to the project's root. Throws if the installation is incomplete. */
export function readProjectFile(path: string): string {
  return readProjectBytes(path).toString();
}

export function readProjectBytes(path: string): Buffer {
  return isPackaged ? readAsset(path) : readFileSync(new URL(path, projectRoot()));
}

export function hasProjectFile(path: string): boolean {
  return isPackaged ? getAssetKeys().includes(path) : existsSync(new URL(path, projectRoot()));
}

/** The folder must end in a slash: `migrations/sqlite/`. */
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

/** Searches upwards because a bundle can be at any depth. */
function nearestPackage(from: string): URL {
  let folder = new URL(".", from);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`found no package.json above ${from}`);
    folder = above;
  }
  return folder;
}
