import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import type { Migration } from "../../../../src/store/engine/migrations.ts";
import { openWriter } from "../../../../src/store/engine/sqlite/file.ts";
import { migrate } from "../../../../src/store/engine/sqlite/migrate.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { migrationsFrom } from "../migrations-from.ts";

function newFile(): string {
  return join(temporaryFolder(), "platform.db");
}

const settings = "CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT, updated_at INTEGER);";

/** The first migration creates a table, and the test defines the second. */
function migrationsWith(second: string) {
  return migrationsFrom({
    "0001-things.sql": `CREATE TABLE things (name TEXT) STRICT; ${settings}`,
    "0002-more.sql": second,
  });
}

function openWith(file: string, known: Migration[]) {
  const connection = openWriter({ file, busyTimeoutMs: 0, create: true });
  onTestFinished(() => void connection.close());
  return {
    connection,
    migrated: migrate(connection, () => 5, known).map(({ version }) => version),
  };
}

/** Creates a file with the first of two migrations and one row. */
function openOlder(known: Migration[]): string {
  const file = newFile();
  const { connection } = openWith(file, known.slice(0, 1));
  connection.exec("INSERT INTO things VALUES ('kept')");
  connection.close();
  return file;
}

function contentsOf(connection: BetterSqlite3.Database) {
  return {
    version: connection.pragma("user_version", { simple: true }),
    things: connection.prepare("SELECT * FROM things").all(),
    sound: connection.pragma("integrity_check", { simple: true }),
  };
}

const more = "ALTER TABLE things ADD COLUMN size INTEGER; UPDATE things SET size = 1;";

test("before a database is migrated, it is copied to a file beside it", () => {
  const known = migrationsWith(more);
  const file = openOlder(known);
  writeFileSync(`${file}.before-0002`, "a copy of an attempt long ago");
  const { connection, migrated } = openWith(file, known);
  expect(migrated).toEqual([2]);
  const after = { version: 2, things: [{ name: "kept", size: 1 }], sound: "ok" };
  expect(contentsOf(connection)).toEqual(after);
  const copy = `${file}.before-0002`;
  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const before = new BetterSqlite3(copy, { readonly: true });
  expect(contentsOf(before)).toEqual({ version: 1, things: [{ name: "kept" }], sound: "ok" });
  before.close();
  const names = readdirSync(dirname(file)).filter((name) => !/-(wal|shm)$/.test(name));
  expect(names.sort()).toEqual([basename(file), basename(copy)]);
});

test("a new database is not copied", () => {
  const file = newFile();
  expect(openWith(file, migrationsWith(more)).migrated).toEqual([1, 2]);
  expect(readdirSync(dirname(file)).filter((name) => name.includes("before"))).toEqual([]);
});

/** Another program applies all migrations when the one with this version is first read. */
function withMeddler(file: string, known: Migration[], version: number) {
  let theirs: number[] | null = null;
  const meddled = known.map((migration) =>
    migration.version !== version
      ? migration
      : Object.defineProperty({ ...migration }, "version", {
          get() {
            theirs ??= openWith(file, known).migrated;
            return version;
          },
        }),
  );
  return { meddled, theirs: () => theirs };
}

test("a migration that another program has just applied is not applied again", () => {
  const file = newFile();
  const { meddled, theirs } = withMeddler(file, migrationsWith(more), 1);
  expect(openWith(file, meddled).migrated).toEqual([]);
  expect(theirs()).toEqual([1, 2]);
});

test.each([1, 2])(
  "a new file that another program migrates at step %i is never used half-migrated",
  (look) => {
    const file = newFile();
    const known = migrationsWith(more);
    const connection = openWriter({ file, busyTimeoutMs: 0, create: true });
    onTestFinished(() => void connection.close());
    const prepare = connection.prepare.bind(connection);
    let looks = 0;
    connection.prepare = ((sql: string) => {
      looks++;
      if (looks === look) openWith(file, known);
      return prepare(sql);
    }) as typeof connection.prepare;
    expect(migrate(connection, () => 5, known)).toEqual([]);
    expect(contentsOf(connection)).toMatchObject({ version: 2, sound: "ok" });
  },
);

test("a copy made before the migration is not replaced by a later one", () => {
  const known = migrationsWith(more);
  const file = openOlder(known);
  const { meddled, theirs } = withMeddler(file, known, 2);
  expect(openWith(file, meddled).migrated).toEqual([]);
  expect(theirs()).toEqual([2]);
  const copy = new BetterSqlite3(`${file}.before-0002`, { readonly: true });
  expect(contentsOf(copy)).toMatchObject({ version: 1 });
  copy.close();
  const drafts = readdirSync(dirname(file)).filter((name) => name.includes("before"));
  expect(drafts).toEqual([`${basename(file)}.before-0002`]);
});

test("a failed migration leaves the old schema, and succeeds once it is fixed", () => {
  const known = migrationsWith(`${more} INSERT INTO nowhere VALUES (1);`);
  const file = openOlder(known);
  expect(() => openWith(file, known)).toThrow("no such table: nowhere");
  const old = new BetterSqlite3(file);
  expect(contentsOf(old)).toEqual({ version: 1, things: [{ name: "kept" }], sound: "ok" });
  old.close();
  expect(openWith(file, migrationsWith(more)).migrated).toEqual([2]);
});

test("a copy that cannot be made stops the migration", () => {
  const known = migrationsWith(more);
  const file = openOlder(known);
  mkdirSync(`${file}.before-0002`);
  expect(() => openWith(file, known)).toThrow();
  const old = new BetterSqlite3(file);
  expect(contentsOf(old)).toMatchObject({ version: 1 });
  old.close();
});

test.each([
  [["0001-a.sql", "0003-c.sql"], "0003-c.sql"],
  [["0002-b.sql"], "0002-b.sql"],
  [["first.sql"], "first.sql"],
])("migrations %j are not numbered consecutively", (names, wrong) => {
  const texts = Object.fromEntries(names.map((name) => [name, "SELECT 1;"]));
  expect(() => migrationsFrom(texts)).toThrow(wrong);
});
