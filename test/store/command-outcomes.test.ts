import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/store/engine/migrate.ts";
import { loadMigrations } from "../../src/store/engine/migrations.ts";
import { openWriter } from "../../src/store/engine/sqlite-file.ts";
import { temporaryFolder } from "../helpers/app.ts";

function openMigrated(version: number) {
  const file = join(temporaryFolder(), "platform.db");
  const connection = openWriter({ file, busyTimeoutMs: 0, create: true });
  onTestFinished(() => void connection.close());
  const migrateTo = (newest: number) =>
    migrate(connection, () => 0, loadMigrations().slice(0, newest));
  const byName = (sql: string) =>
    Object.fromEntries(connection.prepare(sql).raw().all() as [string, number][]);
  migrateTo(version);
  return {
    connection,
    migrateTo,
    counts: () => ({
      outcomes: byName("SELECT status, count FROM command_outcomes"),
      errors: byName("SELECT code, count FROM command_errors"),
    }),
  };
}

const none = { SUCCEEDED: 0, FAILED: 0, CANCELLED: 0 };

test("a new database has each outcome with the count 0", () => {
  expect(openMigrated(2).counts()).toEqual({ outcomes: none, errors: {} });
});

test("commands that ended before the migration are counted, and deleted commands are subtracted", () => {
  const { connection, migrateTo, counts } = openMigrated(1);
  connection.exec(`
    INSERT INTO agents (id, code, mode, status, registered_at, updated_at)
      VALUES ('a', 'a', 'x', 'ONLINE', 0, 0);
    INSERT INTO services (id, code, agent_id, name, version, health_class, stored_status,
      created_at, updated_at, last_reported_at)
      VALUES ('s', 's', 'a', 's', '1', 'healthy', 'HEALTHY', 0, 0, 0);`);
  const insert = connection.prepare(`
    INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
      source_kind, timeout_seconds, created_at, expires_at, error_code)
    VALUES (?, 'ACTION_EXECUTE', ?, 'a', 's', 's', 'x', '{}', 'operator', 1, 0, 0, ?)`);
  const before: [status: string, code: string | null][] = [
    ["SUCCEEDED", null],
    ["FAILED", "GONE"],
    ["FAILED", "GONE"],
    ["FAILED", "FULL"],
    ["CANCELLED", null],
    ["PENDING", null],
    ["RUNNING", null],
  ];
  for (const [index, [status, code]] of before.entries()) insert.run(`c${index}`, status, code);
  migrateTo(2);
  expect(counts()).toEqual({
    outcomes: { SUCCEEDED: 1, FAILED: 3, CANCELLED: 1 },
    errors: { FULL: 1, GONE: 2 },
  });
  connection.exec("DELETE FROM commands WHERE id IN ('c0', 'c1', 'c3', 'c5')");
  expect(counts()).toEqual({
    outcomes: { SUCCEEDED: 0, FAILED: 1, CANCELLED: 1 },
    errors: { GONE: 1 },
  });
  connection.exec("DELETE FROM commands");
  expect(counts()).toEqual({ outcomes: none, errors: {} });
});
