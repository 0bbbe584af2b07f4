// Changes a database file directly, without the triggers that would prevent the change.

import BetterSqlite3 from "better-sqlite3";

interface Part {
  type: string;
  name: string;
  sql: string | null;
}

export function tamper(file: string, ...statements: string[]): void {
  const connection = new BetterSqlite3(file);
  const schema = () => connection.prepare("SELECT * FROM sqlite_schema ORDER BY type, name").all();
  const before = schema() as Part[];
  const version = connection.pragma("schema_version", { simple: true });
  const triggers = before.filter(({ type }) => type === "trigger");
  connection.exec("BEGIN");
  for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`);
  for (const statement of statements) connection.exec(statement);
  for (const { sql } of triggers) connection.exec(sql!);
  // The other connections need not read an unchanged schema again, and the next test can use the
  // database.
  const isSame = JSON.stringify(schema()) === JSON.stringify(before);
  if (isSame) connection.unsafeMode().pragma(`schema_version = ${version}`);
  connection.exec("COMMIT");
  connection.close();
}
