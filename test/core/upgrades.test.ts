// The current program opens the databases of earlier versions, one per migration.
// scripts/write-upgrade-fixture.ts creates them.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { schemaOf } from "../../scripts/write-schema.ts";
import type { FixtureFacts } from "../../scripts/write-upgrade-fixture.ts";
import { loadMigrations } from "../../src/store/engine/migrations.ts";
import { copyBefore } from "../../src/store/engine/sqlite/migrate.ts";
import { openTestApp, temporaryFolder } from "../helpers/app.ts";
import { size } from "../helpers/size.ts";
import { sqliteOnly } from "../helpers/sqlite-only.ts";
import { expectRefused } from "./refusals.ts";

sqliteOnly("the databases of earlier versions are files");

const fixtures = join(import.meta.dirname, "../upgrades");
const migrations = loadMigrations();
const names = readdirSync(fixtures).sort();

test("each schema version has a database", () => {
  const expected = migrations.map(({ name }) => `schema-${name.slice(0, 4)}`);
  expect(names, "run `node scripts/write-upgrade-fixture.ts` once the migration is final").toEqual(
    expected,
  );
});

/** The oldest database runs every migration. Only `npm run test:long` opens all the others. */
const some = names.filter((_, at) => at % size(7, 1) === 0 || at === names.length - 1);

test.each(some)("%s", async (name) => {
  const { left, dataDir } = await unpack(name);
  const { clock } = openTestApp();
  clock.jump(Date.parse(left.leftAt) + 1000 - clock.now());
  const env = { DATA_DIR: dataDir, CAPSULE_BUS_ENABLED: "true" };
  const { app, database, file, asPrincipal } = openTestApp(env, {}, clock);
  const pending = migrations.slice(Number(name.slice(-4)));
  const [next] = pending;
  if (next) expect(existsSync(copyBefore(file, next))).toBe(true);
  expect(await schemaOf(database.read)).toBe(readFileSync("test/schema.sql", "utf8"));
  expect(await database.read.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(await database.read.all("PRAGMA foreign_key_check")).toEqual([]);
  await app.noteStarted();

  const { credentials } = app.core;
  const admin = asPrincipal(await credentials.apiKey(left.apiKey));
  const agents = await admin.page("agents.list");
  expect(agents.data.map(({ code }) => code).sort()).toEqual(["spare", "worker"]);
  const services = await admin.page("services.list");
  expect(services.data).toMatchObject([{ code: "shop", version: "2.0.0", healthStatus: "UP" }]);
  const users = await admin.call("users.list");
  expect(users).toMatchObject([{ username: "admin", displayName: null }]);
  const find = (commandId: string) => admin.call("commands.get", { params: { commandId } });
  for (const [status, id] of Object.entries(left.commands)) {
    expect(await find(id)).toMatchObject({ id, status });
  }
  expect(await admin.call("audit-events.verify")).toMatchObject({ ok: true });
  // Checking a real hash takes a third of a second, so only the oldest database is signed in to.
  if (name === names[0]) {
    const body = { username: "admin", password: left.password };
    await asPrincipal({ kind: "anonymous" }).call("auth.login", { body });
  }

  const [worker, spare] = left.agents as [FixtureFacts["agents"][0], FixtureFacts["agents"][0]];
  const client = asPrincipal(await credentials.agent(worker.token));
  await client.call("agent.heartbeat", { body: {} });
  await expectRefused((async () => credentials.agent(spare.token))(), "AGENT_DISABLED");
  const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
  expect(commands.map(({ id }) => id)).toContain(left.commands.PENDING);
  const params = { commandId: left.commands.RUNNING! };
  await client.call("agent.result", { params, body: { success: true, output: {} } });
  expect(await find(params.commandId)).toMatchObject({ status: "SUCCEEDED" });
  expect(await admin.call("audit-events.verify")).toMatchObject({ ok: true });
});

async function unpack(name: string): Promise<{ left: FixtureFacts; dataDir: string }> {
  const from = join(fixtures, name);
  const dataDir = join(temporaryFolder(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const keep = (file: string, bytes: Buffer) =>
    writeFileSync(join(dataDir, file), bytes, { mode: 0o600 });
  keep("platform.db", gunzipSync(readFileSync(join(from, "platform.db.gz"))));
  for (const key of ["audit.key", "session.key"]) keep(key, readFileSync(join(from, key)));
  return { left: JSON.parse(readFileSync(join(from, "facts.json"), "utf8")), dataDir };
}
