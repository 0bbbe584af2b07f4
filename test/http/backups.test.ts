import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createApp } from "../../src/app.ts";
import { inChild } from "../../src/cli/files/child-processes.ts";
import { createClient } from "../../src/client/client.ts";
import { localTransport } from "../../src/client/transport-local.ts";
import { placeOf } from "../../src/domain/storage/place.ts";
import { openDatabase } from "../../src/store/engine/sqlite/open.ts";
import { temporaryFolder, testWorld } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { until } from "../helpers/process/process.ts";
import { sqliteOnly } from "../helpers/sqlite-only.ts";
import { errorsLogged } from "./raw.ts";

sqliteOnly("PostgreSQL is backed up with its own tools");

/** Opens a listening app. `ask` requests a backup as an owner. */
async function openOwned() {
  // A copy in this process would block the writes.
  const app = await listenTestApp({}, { world: inChild });
  const key = await app.apiKey("owner");
  const headers = { authorization: `Bearer ${key}` };
  const ask = () => fetch(`${app.url}/api/admin/backup`, { method: "POST", headers });
  const left = () => readdirSync(dirname(app.file)).filter((name) => name.startsWith("backup"));
  return { ...app, ask, left };
}

/** Writes again and again until `stop`. `ids` has the ids of the acknowledged writes. */
function writeOn({ as }: ListeningApp) {
  const ids: string[] = [];
  let stopped = false;
  const write = async () => {
    const { id } = await as("operator").call("registration-tokens.create", { body: {} });
    ids.push(id);
    // The number of active tokens is limited.
    await as("operator").call("registration-tokens.revoke", { params: { tokenId: id } });
    return stopped;
  };
  // The pauses between the writes leave the processor to the copy.
  const writing = until("the end of the writes", write);
  return {
    ids,
    stop() {
      stopped = true;
      return writing;
    },
  };
}

/** Opens a service on a backup, with the original keys. */
function restored(bytes: Buffer, from: ListeningApp) {
  const folder = temporaryFolder();
  const file = join(folder, "platform.db");
  writeFileSync(file, bytes);
  for (const key of ["audit.key", "session.key"]) {
    copyFileSync(join(dirname(from.file), key), join(folder, key));
  }
  const opened = openDatabase({ file, busyTimeoutMs: 0, schema: "require", now: Date.now });
  const place = placeOf({ ...from.config, database: { kind: "file", file } });
  const app = createApp(from.config, { place, ...opened }, testWorld);
  onTestFinished(async () => {
    await app.close();
    await opened.database.close();
  });
  const door = app.localDoor({ kind: "local", osUser: "ada" });
  return createClient(localTransport(file, door, async () => undefined));
}

test("a backup made during writes contains every acknowledged write, and can be used", async () => {
  const app = await openOwned();
  const { ids, stop } = writeOn(app);
  await until("some writes", () => ids.length > 10);
  const known = [...ids];
  const answer = await app.ask();
  const concurrent = ids.length - known.length;
  const bytes = Buffer.from(await answer.arrayBuffer());
  await stop();

  expect(answer.status).toBe(200);
  const digest = createHash("sha256").update(bytes).digest("base64");
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "content-type": "application/vnd.sqlite3",
    "content-length": String(bytes.length),
    "content-disposition": 'attachment; filename="platform-2026-01-02.db"',
    "repr-digest": `sha-256=:${digest}:`,
  });
  // A copy in the event loop would have prevented all concurrent writes.
  expect(concurrent).toBeGreaterThan(0);
  expect(app.left()).toEqual([]);

  const copy = restored(bytes, app);
  for (const targetId of known) {
    const query = { targetId, action: "registration_token.created" };
    expect(await copy.call("audit-events.list", { query })).toHaveLength(1);
  }
  const head = (await copy.page("audit-events.list")).data[0];
  // The copy accepts writes, and a backup of the copy finds an unbroken chain.
  await copy.call("registration-tokens.create", { body: {} });
  for await (const _chunk of (await copy.download("backup.create")).chunks);
  const [second] = (await copy.page("audit-events.list")).data;
  expect(second).toMatchObject({ metadata: { auditHead: { seq: (head?.seq ?? 0) + 1 } } });
});

test("a reader that disconnects in the middle leaves nothing behind", async () => {
  const app = await openOwned();
  const errors = errorsLogged(app);
  // This is more than the socket buffers hold.
  const text = JSON.stringify("x".repeat(12_000_000));
  await app.database.write((tx) => tx.run("INSERT INTO settings VALUES ('large', ?, 0)", text));
  const { body } = await app.ask();
  const reader = body!.getReader();
  expect((await reader.read()).value!.length).toBeGreaterThan(0);
  expect((await app.ask()).status).toBe(429);
  await reader.cancel();
  await until("the copy is gone", () => app.left().length === 0);
  expect(errors).toEqual([]);
});
