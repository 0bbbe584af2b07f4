// Lays out the project as npm would install it, in another folder, for tests and measurements.

import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { projectFolder, readPackageFile } from "./project.ts";

/** Builds into the folder, which then contains `bin/` and no sources. */
export async function layOut(folder: string): Promise<void> {
  const { dependencies } = readPackageFile();
  for (const part of ["bin", "migrations", "package.json"]) {
    cpSync(join(projectFolder, part), join(folder, part), { recursive: true });
  }
  const modules = join(folder, "node_modules");
  mkdirSync(modules);
  for (const name of [".bin", ...Object.keys(dependencies)]) {
    symlinkSync(join(projectFolder, "node_modules", name), join(modules, name));
  }
  await bundle(join(folder, "dist"), {});
}
