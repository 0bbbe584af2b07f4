// A schema that another program has changed differs from the one that the migrations create.

import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { loadMigrations } from "../../../../src/store/engine/migrations.ts";
import { migrate } from "../../../../src/store/engine/sqlite/migrate.ts";
import { schemaProblem } from "../../../../src/store/engine/sqlite/schema-comparison.ts";

test("what was added, removed or changed is named", () => {
  const connection = new BetterSqlite3(":memory:");
  onTestFinished(() => void connection.close());
  migrate(connection, () => 0, loadMigrations(), true);
  expect(schemaProblem(connection)).toBeNull();
  const problemAfter = (change: string) => {
    connection.exec(`BEGIN; ${change}`);
    const problem = schemaProblem(connection);
    connection.exec("ROLLBACK");
    return problem;
  };
  expect(problemAfter("CREATE TRIGGER t AFTER INSERT ON agents BEGIN SELECT 1; END")).toBe(
    "it has a trigger t that this program did not create",
  );
  expect(problemAfter("CREATE VIEW v AS SELECT 1")).toMatch(/^it has a view v that/);
  expect(problemAfter("CREATE TABLE t (x)")).toMatch(/^it has a table t that/);
  expect(problemAfter("DROP TRIGGER audit_events_never_change")).toBe(
    "it has no trigger audit_events_never_change",
  );
  expect(problemAfter("ALTER TABLE agents ADD COLUMN more TEXT")).toBe(
    "its table agents differs from this program's",
  );
});
