import BetterSqlite3 from "better-sqlite3";

/** Returns a version such as `3.53.2`. Throws if SQLite cannot be loaded. */
export function sqliteVersion(): string {
  const database = new BetterSqlite3(":memory:");
  try {
    return database.prepare("SELECT sqlite_version()").pluck().get() as string;
  } finally {
    database.close();
  }
}
