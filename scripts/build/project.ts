// The project's folder, and its package.json.

import { readFileSync } from "node:fs";
import { join } from "node:path";

export const projectFolder = join(import.meta.dirname, "../..");

export interface PackageFile {
  version: string;
  license: string;
  /** The content of an installed package beside the bundle. */
  files: string[];
  /** Not bundled: npm installs them with the package. */
  dependencies: Record<string, string>;
}

export function readPackageFile(): PackageFile {
  return JSON.parse(readFileSync(join(projectFolder, "package.json"), "utf8"));
}
