// The packaged program's better-sqlite3, which loads its native module from within the file.
// scripts/package/program.ts bundles this in place of the package.

import BetterSqlite3 from "better-sqlite3";
import { loadNativePart } from "./native-part.ts";

class Database extends BetterSqlite3 {
  constructor(file: string, options: BetterSqlite3.Options = {}) {
    // The package also accepts a loaded module, which its types omit.
    const nativeBinding = loadNativePart(file) as unknown as string;
    super(file, { ...options, nativeBinding });
  }
}

// biome-ignore lint/style/noDefaultExport: the package has one
export default Database;
