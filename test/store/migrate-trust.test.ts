// Tests migration 0006 with data from earlier versions.

import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/store/engine/migrate.ts";
import { loadMigrations } from "../../src/store/engine/migrations.ts";
import { openWriter, type SqliteConnection } from "../../src/store/engine/sqlite-file.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { size } from "../helpers/size.ts";

const version = 6;

/** Creates a database as it was before this migration. */
function openOld(): SqliteConnection {
  const file = join(temporaryFolder(), "platform.db");
  const connection = openWriter({ file, busyTimeoutMs: 0, create: true });
  onTestFinished(() => void connection.close());
  migrate(connection, () => 1, loadMigrations().slice(0, version - 1));
  return connection;
}

function bringUp(connection: SqliteConnection): void {
  migrate(connection, () => 9, loadMigrations().slice(0, version), false);
}

function addUser(connection: SqliteConnection, id: string, username: string, createdAt = 10): void {
  connection
    .prepare(
      `INSERT INTO users (id, username, username_key, password_hash, role, status, created_at,
         updated_at, password_changed_at)
       VALUES (@id, @username, @username, '', 'owner', 'ACTIVE', @createdAt, @createdAt, @createdAt)`,
    )
    .run({ id, username, createdAt });
}

let seq = 0;

/** Also inserts the audit row of the key's creation, unless it was deleted. */
function addKey(
  connection: SqliteConnection,
  id: string,
  createdBy: string,
  createdAt: number,
  actor: [type: string, id: string | null] | "pruned",
): void {
  connection
    .prepare(
      `INSERT INTO api_keys (id, name, role, key_hash, created_by, created_at)
       VALUES (?, ?, 'owner', ?, ?, ?)`,
    )
    .run(id, `name of ${id}`, id, createdBy, createdAt);
  if (actor === "pruned") return;
  seq++;
  connection
    .prepare(
      `INSERT INTO audit_events (seq, id, at, actor_type, actor_id, action, target_type, target_id,
         result, metadata, hash)
       VALUES (?, ?, ?, ?, ?, 'api_key.created', 'api_key', ?, 'SUCCESS', '{}', '')`,
    )
    .run(seq, `event ${seq}`, createdAt, actor[0], actor[1], id);
}

type Actor = Parameters<typeof addKey>[4];

const keys: [id: string, by: string, at: number, actor: Actor, owner: string | null][] = [
  ["by-bob", "bob", 20, ["USER", "bob-1"], "bob-1"],
  ["through", "name of by-bob", 30, ["API_KEY", "by-bob"], "bob-1"],
  ["deep", "name of through", 40, ["API_KEY", "through"], "bob-1"],
  ["of-gone", "ann", 20, ["USER", "ann-gone"], "ann-gone"],
  ["pruned", "bob", 20, "pruned", "bob-1"],
  ["parent-pruned", "name of pruned", 50, ["API_KEY", "pruned"], "bob-1"],
  ["both-pruned", "name of pruned", 60, "pruned", "bob-1"],
  ["deep-pruned", "name of both-pruned", 70, "pruned", "bob-1"],
  ["on-host", "bob", 20, ["LOCAL", null], null],
  ["through-on-host", "name of on-host", 30, ["API_KEY", "on-host"], null],
  ["by-host-pruned", "root", 20, "pruned", null],
  ["before-its-user", "late", 20, "pruned", null],
  ["of-itself", "name of of-itself", 20, "pruned", null],
];

test("a key belongs to the user at the start of its chain of keys, whichever audit rows remain", () => {
  const connection = openOld();
  addUser(connection, "bob-1", "bob");
  addUser(connection, "late-1", "late", 1000);
  for (const [id, by, at, actor] of keys) addKey(connection, id, by, at, actor);
  bringUp(connection);
  const owners = connection.prepare("SELECT id, user_id FROM api_keys ORDER BY rowid").raw().all();
  expect(owners).toEqual(keys.map(([id, , , , owner]) => [id, owner]));
});

/** The agent of one command is missing. */
function addCommands(connection: SqliteConnection, count: number): void {
  connection.pragma("foreign_keys = OFF");
  connection.exec(`
    INSERT INTO agents (id, code, mode, status, registered_at, updated_at)
      VALUES ('a', 'edge-1', 'sidecar', 'OFFLINE', 1, 1);
    INSERT INTO services (id, code, agent_id, name, version, health_class, stored_status,
        created_at, updated_at, last_reported_at)
      VALUES ('s', 'shop', 'a', 'Shop', '1', 'healthy', 'HEALTHY', 1, 1, 1);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
    INSERT INTO commands (id, type, status, agent_id, service_id, service_code, action, payload,
        source_kind, timeout_seconds, created_at, expires_at)
      SELECT printf('%06d', i), 'ACTION_EXECUTE', 'PENDING', iif(i = ${count}, 'gone', 'a'), 's',
        'shop', 'restart', printf('%.*c', 1000, 'x'), 'operator', 60, i, i FROM n;`);
  connection.pragma("foreign_keys = ON");
}

test("commands get their agent's code, and a command whose agent is missing does not fail the migration", () => {
  const connection = openOld();
  addCommands(connection, 3);
  bringUp(connection);
  const codes = connection.prepare("SELECT agent_code FROM commands ORDER BY id").pluck().all();
  expect(codes).toEqual(["edge-1", "edge-1", ""]);
});

test("no statement keeps its changes in memory, because a million commands would not fit", () => {
  const connection = openOld();
  const mebibytes = size(24, 48);
  addCommands(connection, mebibytes * 1024);
  const store = (name: string) => JSON.stringify(pathToFileURL(`src/store/${name}.ts`));
  // In its own process with a small cache, only the migration makes the memory grow.
  const program = `
    import { migrate } from ${store("engine/migrate")};
    import { loadMigrations } from ${store("engine/migrations")};
    import { openWriter } from ${store("engine/sqlite-file")};
    const options = { busyTimeoutMs: 0, create: false };
    const connection = openWriter({ file: ${JSON.stringify(connection.name)}, ...options });
    connection.pragma("cache_size = -1024");
    const peak = () => process.resourceUsage().maxRSS / 1024;
    const before = peak();
    migrate(connection, () => 9, loadMigrations().slice(0, ${version}), false);
    console.log(peak() - before);`;
  const printed = execFileSync(process.execPath, ["--input-type=module", "-e", program]);
  expect(Number(printed)).toBeLessThan(mebibytes / 2);
});
