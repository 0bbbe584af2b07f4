import { join } from "node:path";
import type { Plugin } from "rolldown";
import { projectFolder } from "./project.ts";

/** Replaces better-sqlite3, except in src/packaged, with this file of src/packaged. */
export function ownSqlite(file: string): Plugin {
  const folder = join(projectFolder, "src/packaged");
  return {
    name: "own-sqlite",
    resolveId(name, importer) {
      if (name !== "better-sqlite3" || importer?.startsWith(folder)) return null;
      return join(folder, file);
    },
  };
}
