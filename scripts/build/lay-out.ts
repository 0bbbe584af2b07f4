import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./bundle.ts";
import { copyNativeParts } from "./native-parts.ts";
import { projectFolder } from "./project.ts";

/** Lays out the project in the folder as npm would install it: with `bin/`, but without sources. */
export async function layOut(folder: string): Promise<void> {
  for (const part of ["bin", "migrations", "package.json"]) {
    cpSync(join(projectFolder, part), join(folder, part), { recursive: true });
  }
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, ".bin"), { recursive: true });
  symlinkSync(process.execPath, join(modules, ".bin/node"));
  await bundle(join(folder, "dist"), {});
  copyNativeParts(join(folder, "dist"));
}
