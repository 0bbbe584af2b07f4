// A command that cannot open a database file neither changes nor locks the file.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, test } from "vitest";
import { claimDatabase } from "../../../src/store/engine/sqlite/database-lock.ts";
import { openTestApp } from "../../helpers/app.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { cli, failing } from "../world.ts";

sqliteOnly("its databases are files without a key");

test.each([
  { what: "a backup without a key", mode: "DELETE", key: null },
  { what: "a database without a key", mode: "WAL", key: null },
  { what: "a backup with half a key", mode: "DELETE", key: "AAAA" },
])("$what is neither changed nor locked, and no other file is created", async ({ mode, key }) => {
  const { app, database, file, registerAgent } = openTestApp();
  await registerAgent("edge-1");
  await app.close();
  await database.close();
  const folder = join(dirname(file), "kept");
  mkdirSync(folder);
  const copy = join(folder, "b2.db");
  const source = new BetterSqlite3(file);
  source.prepare("VACUUM INTO ?").run(copy);
  source.close();
  const made = new BetterSqlite3(copy);
  made.pragma(`journal_mode = ${mode}`);
  made.close();
  if (key !== null) writeFileSync(join(folder, "audit.key"), key);
  const before = readFileSync(copy);
  const names = readdirSync(folder);
  const ran = await cli(["agents", "list", "--db", copy]);
  expect(ran).toMatchObject(failing(6, "audit.key: it "));
  expect(readFileSync(copy).equals(before)).toBe(true);
  expect(readdirSync(folder)).toEqual(names);
  const lock = claimDatabase(copy);
  expect(lock).not.toBeNull();
  lock?.release();
});
