// The packaged file must be distributed with the licences of all of its parts.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { licencesOf } from "../build/licenses.ts";
import { projectFolder } from "../build/project.ts";
import type { Material } from "./targets.ts";

const rule = `\n${"-".repeat(80)}\n\n`;

/** `files` are the absolute paths of the bundled files. */
export function allLicences(files: string[], { nodePackage, nodeVersion }: Material): string {
  return [
    `${readFileSync(join(projectFolder, "LICENSE"), "utf8").trim()}\n`,
    licencesOf(files),
    "SQLite (blessing)\nhttps://www.sqlite.org/copyright.html\n\nSQLite is in the public domain.\n",
    `Node.js ${nodeVersion} (MIT)\nhttps://nodejs.org\n\n` +
      `${readFileSync(join(nodePackage, "LICENSE"), "utf8").trim()}\n`,
  ].join(rule);
}
