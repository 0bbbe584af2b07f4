// Whether the console in dist/ is older than its sources, by their times.

import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { consoleListing } from "../../src/lib/files/project-files.ts";

/** The rooms that it may import, its build configuration, and its packages. */
const sources = ["src/{console,api,domain,lib}/**/*", "vite.config.ts", "package-lock.json"];

/** In a project's folder. True if there is no build. */
export function isStale(folder: string): boolean {
  const built = statSync(join(folder, consoleListing), { throwIfNoEntry: false });
  if (!built) return true;
  return globSync(sources, { cwd: folder }).some(
    (name) => statSync(join(folder, name)).mtimeMs > built.mtimeMs,
  );
}
