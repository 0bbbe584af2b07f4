// The current program opens databases of earlier versions, one for each former last migration.
// scripts/write-upgrade-fixture.ts creates them.

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { schemaOf } from "../../scripts/write-schema.ts";
import type { FixtureFacts } from "../../scripts/write-upgrade-fixture.ts";
import { createApp } from "../../src/app.ts";
import { loadConfig } from "../../src/config/config.ts";
import { createHttpServer } from "../../src/http/server.ts";
import { copyBefore, loadMigrations } from "../../src/store/engine/migrate.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { temporaryFolder, testWorld } from "../helpers/app.ts";
import { cheapScryptCost } from "../helpers/cheap-passwords.ts";
import { send } from "../helpers/process/process.ts";

const fixtures = join(import.meta.dirname, "../upgrades");
const migrations = loadMigrations();
const names = readdirSync(fixtures).sort();

test("each schema version has a database", () => {
  const expected = migrations.map(({ name }) => `schema-${name.slice(0, 4)}`);
  expect(
    names,
    "run `node scripts/write-upgrade-fixture.ts` once the migration is as it stays",
  ).toEqual(expected);
});

test.each(names)("%s", async (name) => {
  const { left, dataDir } = await unpack(name);
  const schema = Number(name.slice(-4));
  const now = () => Date.parse(left.leftAt) + 1000;
  const config = loadConfig({ DATA_DIR: dataDir, CAPSULE_BUS_ENABLED: "true" }, "0.0.0");
  const file = config.databaseFile;
  const opened = openDatabase({ file, busyTimeoutMs: 5000, schema: "apply", now });
  const { database } = opened;
  const pending = migrations.slice(schema);
  expect(opened.migrated.map(({ version }) => version)).toEqual(pending.map((m) => m.version));
  const [next] = pending;
  if (next) expect(existsSync(copyBefore(file, next))).toBe(true);
  expect(await schemaOf(database.read)).toBe(readFileSync("test/schema.sql", "utf8"));
  expect(await database.read.all("PRAGMA integrity_check")).toEqual([{ integrity_check: "ok" }]);
  expect(await database.read.all("PRAGMA foreign_key_check")).toEqual([]);

  const app = createApp(config, opened, { ...testWorld, now, scryptCost: cheapScryptCost });
  await app.noteStarted(pending.map((migration) => migration.name));
  const http = createHttpServer(app.httpOptions);
  await new Promise<void>((resolve) => http.server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    http.server.closeAllConnections();
    app.core.doorbell.close();
    await http.close();
    await app.close();
    await database.close();
  });
  const url = `http://127.0.0.1:${(http.server.address() as AddressInfo).port}/api`;

  const admin = (method: string, path: string, body?: unknown) =>
    call(url, left.apiKey, method, `/admin${path}`, body);
  const agents = (await admin("GET", "/agents")).data as { code: string; disabled: boolean }[];
  expect(agents.map(({ code }) => code).sort()).toEqual(["spare", "worker"]);
  const services = (await admin("GET", "/capsule-services")).data;
  expect(services).toMatchObject([{ code: "shop", version: "2.0.0", healthStatus: "UP" }]);
  for (const [status, id] of Object.entries(left.commands)) {
    expect((await admin("GET", `/commands/${id}`)).data).toMatchObject({ id, status });
  }
  expect((await admin("GET", "/audit-events/verify")).data).toMatchObject({ ok: true });
  const login = { username: "admin", password: left.password };
  expect((await call(url, null, "POST", "/admin/auth/login", login)).status).toBe(200);

  const [worker, spare] = left.agents as [FixtureFacts["agents"][0], FixtureFacts["agents"][0]];
  const asWorker = (method: string, path: string, body?: unknown) =>
    call(url, worker.token, method, `/agents/${worker.id}${path}`, body);
  expect((await asWorker("POST", "/heartbeat", {})).status).toBe(200);
  expect((await call(url, spare.token, "POST", "/agents/heartbeat", {})).body).toMatchObject({
    error: { code: "AGENT_DISABLED" },
  });
  const { commands } = (await asWorker("GET", "/commands")).data as { commands: { id: string }[] };
  expect(commands.map(({ id }) => id)).toContain(left.commands.PENDING);
  const { RUNNING: running } = left.commands;
  await asWorker("POST", `/commands/${running}/result`, { success: true, output: {} });
  expect((await admin("GET", `/commands/${running}`)).data).toMatchObject({ status: "SUCCEEDED" });
  expect((await admin("GET", "/audit-events/verify")).data).toMatchObject({ ok: true });
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

async function call(
  url: string,
  bearer: string | null,
  method: string,
  path: string,
  body?: unknown,
) {
  const answer = await send(url, method, path, { ...(bearer === null ? {} : { bearer }), body });
  return { ...answer, data: answer.body.data };
}
