import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectFolder } from "./project.ts";

/**
 * Copies the native modules of better-sqlite3 for all platforms, and the file that chooses one, to
 * where src/packaged/installed-sqlite.ts loads them. If they were a dependency, npm would compile
 * them in projects that have a lock file (docs/decisions/0019-packaging.md).
 */
export function copyNativeParts(dist: string): void {
  const installed = join(projectFolder, "node_modules/better-sqlite3");
  const folder = join(dist, "sqlite");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "lib"), { recursive: true });
  cpSync(join(installed, "lib/binding.js"), join(folder, "lib/binding.cjs"));
  cpSync(join(installed, "prebuilds"), join(folder, "prebuilds"), { recursive: true });
}
