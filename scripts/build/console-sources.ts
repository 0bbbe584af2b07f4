// Whether the console in dist/ is older than what it is made of: a look at a few hundred times.

import { globSync, statSync } from "node:fs";
import { join } from "node:path";
import { consoleListing } from "../../src/lib/files/project-files.ts";

/** The rooms that it may import, how it is built, and the packages in it. */
const sources = ["src/{console,api,domain,lib}/**/*", "vite.config.ts", "package-lock.json"];

/** In the folder of a project. True when none was built. */
export function isStale(folder: string): boolean {
  const built = statSync(join(folder, consoleListing), { throwIfNoEntry: false });
  if (!built) return true;
  return globSync(sources, { cwd: folder }).some(
    (name) => statSync(join(folder, name)).mtimeMs > built.mtimeMs,
  );
}
