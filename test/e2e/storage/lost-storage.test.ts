// Tests a running server that loses its storage: no confirmed write is lost, health and ready
// report the problem within 5 s, and the server recovers when the cause is gone.

import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { logLines, type Server, send, until } from "../../helpers/process/process.ts";
import { rowsIn } from "../../helpers/process/rows.ts";
import { startOnDisk } from "../../helpers/process/server-on-disk.ts";
import { hasSmallDisks, mountSmallDisk, type SmallDisk } from "../../helpers/process/small-disk.ts";

const noticedWithinMs = 5000;

async function openSubject(disk?: SmallDisk) {
  const { server, key } = await startOnDisk(disk);
  return {
    server,
    key,
    /**
     * Tries to create ten registration tokens. Returns the status of each attempt and the created
     * ids.
     */
    async write() {
      const statuses: number[] = [];
      const ids: string[] = [];
      for (let turn = 0; turn < 10; turn++) {
        const path = "/api/admin/registration-tokens";
        const answer = await send(server.url, "POST", path, { bearer: key, body: {} });
        statuses.push(answer.status);
        if (answer.status === 201) ids.push(answer.body.data.id);
        else expect(answer.headers.get("retry-after")).not.toBeNull();
      }
      return { statuses, ids };
    },
  };
}

const refused = Array(10).fill(503);
const accepted = Array(10).fill(201);

async function conditionOf({ url }: Server) {
  const health = await send(url, "GET", "/api/system/health");
  const ready = await send(url, "GET", "/api/system/ready");
  return {
    statuses: [health.status, ready.status],
    reason: health.body.data.database.reason,
    data: [health.body.data.status, ready.body.data.ready],
  };
}

function untilDown(server: Server) {
  return until(
    "health is DOWN",
    async () => {
      const condition = await conditionOf(server);
      return condition.statuses.every((status) => status === 503) && condition;
    },
    noticedWithinMs,
  );
}

function untilUp(server: Server) {
  return until(
    "health is UP again",
    async () => (await conditionOf(server)).statuses.every((status) => status === 200),
    noticedWithinMs,
  );
}

function tokensIn(file: string): unknown[] {
  return rowsIn(file, "SELECT id FROM registration_tokens").flat();
}

// test/store/engine/sqlite/database.test.ts tests each file that can be missing or replaced.
test("when another folder replaces the data folder, writes are refused until the storage is back, confirmed writes are kept, and the other folder is not changed", async () => {
  const { server, write } = await openSubject();
  const { dataDir, file } = server;
  const before = await write();
  expect(before.statuses).toEqual(accepted);
  renameSync(dataDir, `${dataDir}.away`);
  mkdirSync(dataDir);
  writeFileSync(file, "");
  expect((await write()).statuses).toEqual(refused);
  expect(await untilDown(server)).toMatchObject({ reason: "FILE_REPLACED", data: ["DOWN", false] });

  rmSync(dataDir, { recursive: true });
  renameSync(`${dataDir}.away`, dataDir);
  await untilUp(server);
  const after = await write();
  expect(after.statuses).toEqual(accepted);
  expect(tokensIn(file)).toEqual(expect.arrayContaining([...before.ids, ...after.ids]));

  // A server that stops does not change a database that has replaced its own.
  renameSync(dataDir, `${dataDir}.away`);
  mkdirSync(dataDir);
  const other = new BetterSqlite3(file);
  other.pragma("journal_mode = WAL");
  other.exec("CREATE TABLE kept (x); INSERT INTO kept VALUES (1)");
  expect((await write()).statuses).toEqual(refused);
  const ended = await server.stop();
  expect(ended.status).not.toBe(0);
  expect(ended.stderr).toContain("was replaced");
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  other.exec("INSERT INTO kept VALUES (2)");
  other.close();
  const again = new BetterSqlite3(file);
  expect(again.prepare("SELECT COUNT(*) FROM kept").pluck().get()).toBe(2);
  again.close();
});

test.skipIf(!hasSmallDisks())(
  "on a full disk, writes are refused, one line is logged, and the server recovers by itself",
  async () => {
    const disk = await mountSmallDisk(temporaryFolder(), 8);
    const { server, key, write } = await openSubject(disk);
    const before = await write();
    const empty = disk.fill();
    expect(await untilDown(server)).toMatchObject({ reason: "DISK_FULL", data: ["DOWN", false] });
    expect((await write()).statuses).toEqual(refused);
    const read = await send(server.url, "GET", "/api/admin/agents", { bearer: key });
    expect(read.status).toBe(200);
    const lines = () => logLines(server.stderr()).filter(({ msg }) => /storage/.test(String(msg)));
    await until("the log says why", () => lines().length > 0);
    expect(lines()).toMatchObject([{ level: "error", reason: "DISK_FULL" }]);

    empty();
    await untilUp(server);
    const after = await write();
    expect(after.statuses).toEqual(accepted);
    await until("the log reports the recovery", () =>
      logLines(server.stderr()).some(({ msg }) => msg === "the storage works again"),
    );
    await server.stop();
    // Only a copy can be opened: SQLite would resolve the file's path outside the namespace.
    const copy = join(temporaryFolder(), "copy.db");
    copyFileSync(disk.outside(server.file), copy);
    expect(tokensIn(copy)).toEqual(expect.arrayContaining([...before.ids, ...after.ids]));
  },
);
