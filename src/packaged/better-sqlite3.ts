// scripts/package/program.ts bundles this file in place of the package.

import BetterSqlite3 from "better-sqlite3";
import { loadNativePart } from "./native-part.ts";

class Database extends BetterSqlite3 {
  constructor(file: string, options: BetterSqlite3.Options = {}) {
    // The package also accepts a module that is already loaded, although its types do not say so.
    const nativeBinding = loadNativePart(file) as unknown as string;
    super(file, { ...options, nativeBinding });
  }
}

// biome-ignore lint/style/noDefaultExport: the package has a default export
export default Database;
