// A test app has an empty database, whatever an earlier test has done to it
// (`helpers/sqlite-app.ts`).

import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { openTestApp, type TestApp } from "../helpers/app.ts";
import { perFile } from "../helpers/lifetime.ts";
import { everyRow } from "../helpers/stored.ts";

async function contentOf(app: TestApp) {
  return {
    rows: await everyRow(app),
    schema: await app.database.read.all("SELECT type, name, sql FROM sqlite_schema"),
    files: readdirSync(dirname(app.file)),
  };
}

const empty = perFile(() => contentOf(openTestApp()));

const addRows = (app: TestApp) => app.as("owner").call("registration-tokens.create", { body: {} });

describe.each<[what: string, leave: (app: TestApp) => unknown]>([
  ["rows", addRows],
  ["rows that were moved into the file", (app) => app.elsewhere("PRAGMA wal_checkpoint")],
  ["a changed schema", (app) => app.elsewhere("CREATE TABLE left_over (a INT) STRICT")],
  ["a deleted table", (app) => app.database.write((tx) => tx.run("DROP TABLE saved_views"))],
  ["a closed database", (app) => app.database.close()],
  ["another file", ({ file }) => writeFileSync(join(dirname(file), "left-over"), "")],
])("after %s", (_what, leave) => {
  test("is left", async () => {
    const app = openTestApp();
    await addRows(app);
    await leave(app);
  });

  test("the next app has an empty database", async () => {
    expect(await contentOf(openTestApp())).toEqual(empty());
  });
});
