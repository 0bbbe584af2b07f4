// Where the files lie that come with this program. It runs from its sources and from a bundle, and
// this is the only place that knows how to find the project from either.

import { existsSync } from "node:fs";

/** The program's own file, to start it again. */
export const mainFile = import.meta.url.endsWith(".ts") ? "src/main.ts" : "dist/main.js";

let root: URL | null = null;

/** Of a path from the project's root: `migrations/sqlite/`. Throws when the installation is not whole. */
export function projectFile(path: string): URL {
  root ??= nearestPackage(import.meta.url);
  return new URL(path, root);
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
