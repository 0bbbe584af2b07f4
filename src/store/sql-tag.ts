// Runs SQL that contains its parameters: run(tx)`DELETE FROM users WHERE id = ${id}` binds the id.
// Text that is not a constant can never become SQL.

import type { Reader, SqlValue, Tx } from "./database.ts";

type Sql = TemplateStringsArray;

/** Each place in the source has one template, so the map stays small. */
const texts = new Map<Sql, string>();

function textOf(sql: Sql): string {
  const known = texts.get(sql);
  if (known !== undefined) return known;
  const text = sql.join("?");
  texts.set(sql, text);
  return text;
}

export function run(tx: Tx) {
  return (sql: Sql, ...params: SqlValue[]) => tx.run(textOf(sql), ...params);
}

/** Returns the first row. */
export function get(db: Reader) {
  return <Row>(sql: Sql, ...params: SqlValue[]) => db.get<Row>(textOf(sql), ...params);
}

export function all(db: Reader) {
  return <Row>(sql: Sql, ...params: SqlValue[]) => db.all<Row>(textOf(sql), ...params);
}
