// Reads a database file that a server may have open.

import BetterSqlite3 from "better-sqlite3";

/** Returns the rows that a query finds, each as an array of its columns. */
export function rowsIn<Row extends unknown[]>(file: string, sql: string): Row[] {
  const connection = new BetterSqlite3(file, { readonly: true });
  try {
    return connection.prepare(sql).raw().all() as Row[];
  } finally {
    connection.close();
  }
}
