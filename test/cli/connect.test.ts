// A command that opened the file and could not begin its work leaves it free for others.

import { rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { claimDatabase } from "../../src/store/database-lock.ts";
import { openTestApp } from "../helpers/app.ts";
import { cli } from "./world.ts";

test("without its audit key a database with a history is not worked on, nor held", async () => {
  const { app, database, file, registerAgent } = openTestApp();
  await registerAgent("edge-1");
  await app.close();
  await database.close();
  rmSync(join(dirname(file), "audit.key"));
  const ran = await cli(["agents", "list", "--db", file]);
  expect(ran).toMatchObject({ status: 6, stdout: "" });
  expect(ran.stderr).toContain("audit.key: it is missing");
  const lock = claimDatabase(file);
  expect(lock).not.toBeNull();
  lock?.release();
});
