// `platform migrate`: the state of each migration, and migrations without a server.

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { MigrationView } from "../../../src/domain/storage/migrations.ts";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { shareDatabase } from "../../../src/store/engine/sqlite/database-lock.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { listen } from "../../helpers/http/listen.ts";
import { createOldDatabase } from "../../helpers/old-database.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli } from "../world.ts";

sqliteOnly("postgresql.test.ts migrates a PostgreSQL database");

const known = loadMigrations();
const run = (words: string[]) => cli(["migrate", ...words], { io: { program: "platform" } });

function olderDatabase(): string {
  const folder = temporaryFolder();
  const file = join(folder, "platform.db");
  createOldDatabase(file);
  writeFileSync(join(folder, "audit.key"), Buffer.alloc(32, 1).toString("base64"), { mode: 0o600 });
  return file;
}

function change(file: string, sql: string): void {
  const connection = new BetterSqlite3(file);
  connection.exec(sql);
  connection.close();
}

test("--status shows every migration, even while a server runs, and changes nothing", async () => {
  const older = olderDatabase();
  const before = readFileSync(older);
  const { status, stdout, stderr } = await run(["--status", "--db", older, "-o", "json"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(JSON.parse(stdout)).toEqual(
    known.map(({ version, name, checksum }) => ({
      version,
      name,
      state: version === 1 ? "APPLIED" : "PENDING",
      appliedAt: version === 1 ? "1970-01-01T00:00:00.005Z" : null,
      checksum,
    })),
  );
  expect(readFileSync(older).equals(before)).toBe(true);

  const beside = await run(["--status", "--data-dir", dirname(openTestApp().file), "-o", "json"]);
  const rows: MigrationView[] = JSON.parse(beside.stdout);
  expect(rows.map(({ state }) => state)).toEqual(known.map(() => "APPLIED"));
  const table = await run(["--status", "--db", older]);
  expect(table.stdout).toMatch(/^VERSION +NAME +STATE +APPLIED +CHECKSUM$/m);
  expect(table.stdout).toMatch(/^2 +0002-command-outcomes\.sql +PENDING +- +[0-9a-f]{12}$/m);
});

test("`migrate` copies the database, applies pending migrations and audits them", async () => {
  const file = olderDatabase();
  const { status, stdout, stderr } = await run(["--db", file]);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^2 +0002-command-outcomes\.sql +APPLIED +(now|\d+s ago)/m);
  expect(stdout).not.toContain("0001-init.sql");
  const copy = `${file}.before-0002`;
  expect(stderr).toContain(`kept in ${copy}`);
  const kept = new BetterSqlite3(copy, { readonly: true });
  onTestFinished(() => void kept.close());
  expect(kept.pragma("user_version", { simple: true })).toBe(1);

  const again = await run(["--db", file, "-o", "json"]);
  expect(again).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
  const trail = await cli(["audit", "list", "--db", file, "-o", "json"]);
  expect(JSON.parse(trail.stdout)).toMatchObject([
    { action: "system.migrated", metadata: { migrations: known.slice(1).map(({ name }) => name) } },
  ]);
});

test("a migration by a server that then cannot start is audited by the next server", async () => {
  const file = olderDatabase();
  const occupied = createServer();
  const port = String(await listen(occupied));
  const words = ["serve", "--data-dir", dirname(file), "--port", port];
  const failed = await cli(words, { io: { program: "platform" } });
  expect(failed.stderr).toContain("another program already listens there");
  const { app, as } = openTestApp({ DATA_DIR: dirname(file) });
  await app.noteStarted();
  await app.noteStarted();
  const query = { action: "system.migrated" };
  expect((await as("owner").page("audit-events.list", { query })).data).toMatchObject([
    { metadata: { migrations: known.slice(1).map(({ name }) => name) } },
  ]);
});

const newer = { version: 9999, name: "9999-x.sql", checksum: "x" };

function recorded({ version, name, checksum }: typeof newer): string {
  return `INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (${version}, '${name}', '${checksum}', 0)`;
}

/** `status` is the exit status of `migrate`, and `shows` that of `migrate --status`. */
type GroupFailed = [spoil: (file: string) => void, status: number, shows: number, says: RegExp];

const spoilt: Record<string, GroupFailed> = {
  "a database of another program": [
    (file) =>
      change(
        file,
        "INSERT INTO schema_migrations (version, name, checksum, applied_at) VALUES (2, 'a', 'x', 0)",
      ),
    1,
    1,
    /was applied in a form that differs/,
  ],
  "a database that a newer program has migrated": [
    (file) => change(file, [...known.slice(1), newer].map(recorded).join(";")),
    1,
    1,
    /is newer than this program, which does not know 9999-x\.sql\. Use the program that wrote the database/,
  ],
  "no audit key": [
    (file) => rmSync(join(dirname(file), "audit.key")),
    6,
    0,
    /audit\.key: it is missing/,
  ],
  "a database in use": [
    (file) => {
      const lock = shareDatabase(file, 0);
      onTestFinished(() => lock.release());
    },
    5,
    0,
    /platform\.db is in use: stop its server/,
  ],
};

test.each(Object.entries(spoilt))(
  "%s is refused and not changed",
  async (_, [spoil, status, shows, says]) => {
    const file = olderDatabase();
    spoil(file);
    const read = () => readdirSync(dirname(file)).includes("platform.db") && readFileSync(file);
    const before = read();
    const ran = await run(["--db", file]);
    expect(ran).toMatchObject({ status, stdout: "" });
    expect(ran.stderr).toMatch(says);
    const shown = await run(["--db", file, "--status"]);
    expect(shown.status).toBe(shows);
    if (shows !== 0) expect(shown.stderr).toMatch(says);
    expect(read()).toEqual(before);
    expect(readdirSync(dirname(file)).filter((name) => name.includes("before"))).toEqual([]);
  },
);
