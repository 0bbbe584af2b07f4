import { readFileSync } from "node:fs";
import { join } from "node:path";

export const projectFolder = join(import.meta.dirname, "../..");

export interface PackageFile {
  version: string;
  license: string;
  /** What an installed package contains besides the bundle. */
  files: string[];
}

export function readPackageFile(): PackageFile {
  return JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
}
