// better-sqlite3 as the packaged program has it: the same, but that its native part comes out of the file.
// scripts/package/program.ts puts it in the place of the package.

import BetterSqlite3 from "better-sqlite3";
import { loadNativePart } from "./native-part.ts";

class Database extends BetterSqlite3 {
  constructor(file: string, options: BetterSqlite3.Options = {}) {
    // The package takes the loaded module too, which its types do not know.
    const nativeBinding = loadNativePart(file) as unknown as string;
    super(file, { ...options, nativeBinding });
  }
}

// biome-ignore lint/style/noDefaultExport: the package has one
export default Database;
