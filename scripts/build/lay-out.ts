import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { projectFolder, readPackageFile } from "./project.ts";

/** Lays out the project in the folder as npm would install it: with `bin/`, but without sources. */
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
