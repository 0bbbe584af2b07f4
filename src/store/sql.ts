// Runs SQL that contains its parameters: run(tx)`DELETE FROM users WHERE id = ${id}` binds the id.
// Text that is not a constant can never become SQL.

import type { Reader, SqlValue, Tx } from "./database.ts";

type Sql = TemplateStringsArray;

export function run(tx: Tx) {
  return (sql: Sql, ...params: SqlValue[]) => tx.run(sql.join("?"), ...params);
}

/** Returns the first row. */
export function get(db: Reader) {
  return <Row>(sql: Sql, ...params: SqlValue[]) => db.get<Row>(sql.join("?"), ...params);
}

export function all(db: Reader) {
  return <Row>(sql: Sql, ...params: SqlValue[]) => db.all<Row>(sql.join("?"), ...params);
}
