// Creates a database with the first schema, for tests of migrations.

import { loadMigrations, migrate } from "../../src/store/engine/migrate.ts";
import { openWriter } from "../../src/store/engine/sqlite-file.ts";

export function createOldDatabase(file: string): void {
  const connection = openWriter({ file, busyTimeoutMs: 0, create: true });
  migrate(connection, () => 5, loadMigrations().slice(0, 1));
  connection.close();
}
