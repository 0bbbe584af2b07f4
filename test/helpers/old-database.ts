// Creates a database with an older schema, for tests of migrations.

import { loadMigrations } from "../../src/store/engine/migrations.ts";
import { openWriter } from "../../src/store/engine/sqlite/file.ts";
import { migrate } from "../../src/store/engine/sqlite/migrate.ts";

/** Applies the migrations up to `end`, as in `Array.slice`. By default, applies only the first. */
export function createOldDatabase(file: string, end = 1): void {
  const connection = openWriter({ file, busyTimeoutMs: 0, create: true });
  migrate(connection, () => 5, loadMigrations().slice(0, end), true);
  connection.close();
}
