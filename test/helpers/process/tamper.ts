// Changes a database file directly, without the triggers that would prevent the change.

import BetterSqlite3 from "better-sqlite3";

export function tamper(file: string, ...statements: string[]): void {
  const connection = new BetterSqlite3(file);
  const triggers = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all() as { name: string; sql: string }[];
  for (const { name } of triggers) connection.exec(`DROP TRIGGER ${name}`);
  for (const statement of statements) connection.exec(statement);
  for (const trigger of triggers) connection.exec(trigger.sql);
  connection.close();
}
