// scripts/build/bundle.ts bundles this file in place of better-sqlite3, because Node takes longer
// to find and link the package's twelve small files than to run them. The build copies the file
// that chooses and loads the native part for this machine.

import { createRequire } from "node:module";
import BetterSqlite3 from "better-sqlite3";
import { projectPath } from "../lib/files/project-files.ts";

let loaded: object | null = null;

function nativePart(): object {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const chooser = projectPath("dist/sqlite/lib/binding.cjs");
  const { getBinding } = require(chooser) as { getBinding(): object };
  loaded = getBinding();
  return loaded;
}

class Database extends BetterSqlite3 {
  constructor(file: string, options: BetterSqlite3.Options = {}) {
    // The package also accepts a module that is already loaded, although its types do not say so.
    super(file, { ...options, nativeBinding: nativePart() as unknown as string });
  }
}

// biome-ignore lint/style/noDefaultExport: the package has a default export
export default Database;
