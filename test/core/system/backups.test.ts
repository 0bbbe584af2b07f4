// A backup is checked and audited before it is sent. These tests make the copy in this process;
// tests in test/http and test/cli use a child process.

import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { test as base, expect, onTestFinished, vi } from "vitest";
import { systemContext } from "../../../src/core/context.ts";
import {
  BackupMaker,
  type BackupOptions,
  backupTimeoutMs,
} from "../../../src/core/system/backup-maker.ts";
import { createBackup } from "../../../src/core/system/backups.ts";
import { AppError } from "../../../src/domain/errors.ts";
import { copyDatabase } from "../../../src/store/files/copy.ts";
import { openTestApp, temporaryFolder } from "../../helpers/app.ts";
import { replaceBuiltin } from "../../helpers/builtin.ts";
import { until } from "../../helpers/process/process.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";
import { addUser, signIn, updateUser, withCookie } from "../access/people.ts";
import { leavingCaller } from "../leaving-caller.ts";
import { expectRefused, outcome } from "../refusals.ts";

sqliteOnly("PostgreSQL is backed up with its own tools");

const test = base.extend("with", () => openWith()).extend("endlessCopy", () => endlessCopy());

type Copy = BackupOptions["copy"];

/** Opens an app. `options.copy` makes its copies; by default they are made immediately. */
function openWith(options: Partial<BackupOptions> = {}) {
  const test = openTestApp();
  const { core } = test.app;
  const folder = dirname(test.file);
  const copyNow: Copy = async (to) =>
    copyDatabase({ from: test.file, to, auditKeyFile: join(folder, "audit.key") });
  const warnings: string[] = [];
  core.log = { ...core.log, warn: (_fields, message) => void warnings.push(message) };
  core.backups = new BackupMaker({ folder, copy: copyNow, log: core.log, ...options });
  return {
    ...test,
    core,
    folder,
    copyNow,
    warnings,
    backUp: async () => bytesOf((await test.as("owner").download("backup.create")).chunks),
    /** Lists the files other than the database and its keys. */
    left: () => readdirSync(folder).filter((name) => !/^platform\.db|\.key$/.test(name)),
    async audited() {
      const query = { action: "backup.created" };
      return await test.as("owner").call("audit-events.list", { query });
    },
  };
}

/** Creates a copy that never finishes, can be aborted, and reports when it starts. */
function endlessCopy() {
  const begun = Promise.withResolvers<void>();
  const copy: Copy = (to, signal) => {
    writeFileSync(to, "half");
    begun.resolve();
    return new Promise((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  };
  return { copy, begun: begun.promise };
}

async function bytesOf(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk));
  return Buffer.concat(all);
}

/** Repeats `work` until it is no longer refused with RATE_LIMITED. */
function untilFree(work: () => Promise<unknown>): Promise<unknown> {
  return until("the next turn", () => outcome(work()).then((ended) => ended !== "RATE_LIMITED"));
}

test("a backup is audited before its first byte", async ({
  with: { as, core, left, audited, backUp },
}) => {
  const { headers, contentType, chunks } = await as("owner").download("backup.create");
  const [event] = await audited();
  const bytes = await bytesOf(chunks);
  expect(contentType).toBe("application/vnd.sqlite3");
  expect(headers["content-length"]).toBe(String(bytes.length));
  expect(event).toMatchObject({
    targetType: "database",
    result: "SUCCESS",
    actorName: "owner key",
    metadata: {
      sizeBytes: bytes.length,
      auditHead: { seq: 0, hash: "0".repeat(64) },
      durationMs: expect.any(Number),
    },
  });
  const digest = Buffer.from(String(event?.metadata.sha256), "hex").toString("base64");
  expect(headers["repr-digest"]).toBe(`sha-256=:${digest}:`);
  expect(left()).toEqual([]);
  await backUp();
  const [second] = await audited();
  expect(second?.metadata.auditHead).toEqual({ seq: event?.seq, hash: event?.hash });
  expect(core.db.storage().pendingWrites).toBe(0);
});

test("a backup includes calls that were not stored before", async ({
  with: { registerAgent, clock, backUp },
}) => {
  const { client } = await registerAgent("edge-1");
  clock.advance(5000);
  await client.call("agent.heartbeat", { body: {} });
  const file = join(temporaryFolder(), "copy.db");
  writeFileSync(file, await backUp());
  const copy = new BetterSqlite3(file);
  onTestFinished(() => void copy.close());
  expect(copy.prepare("SELECT last_heartbeat_at FROM agents").pluck().get()).toBe(clock.now());
});

test("backups run one at a time, until the last byte is read", async ({
  with: { as, backUp, copyNow, core, folder },
}) => {
  const go = Promise.withResolvers<void>();
  const copy: Copy = async (to, signal) => {
    await go.promise;
    return copyNow(to, signal);
  };
  core.backups = new BackupMaker({ folder, copy, log: core.log });
  const refused = { code: "RATE_LIMITED", retryAfterSeconds: 10 };
  const making = as("owner").download("backup.create");
  await expect(backUp()).rejects.toMatchObject(refused);
  go.resolve();
  const { chunks } = await making;
  await expect(backUp()).rejects.toMatchObject(refused);
  await bytesOf(chunks);
  await untilFree(backUp);
});

test("a failed copy is logged once and leaves nothing", async () => {
  const reason = new AppError("UNAVAILABLE", "The copy is no good.", { cause: new Error("x") });
  let fails = true;
  const copy: Copy = async (to, signal) => {
    if (!fails) return world.copyNow(to, signal);
    writeFileSync(to, "half");
    throw reason;
  };
  const world = openWith({ copy });
  const { left, audited, warnings, backUp } = world;
  const refusal = { code: "UNAVAILABLE", message: "The copy is no good." };
  await expect(backUp()).rejects.toMatchObject(refusal);
  expect(warnings).toEqual(["The copy is no good."]);
  expect([left(), await audited()]).toEqual([[], []]);
  fails = false;
  await backUp();
});

test("a backup is not sent to an owner who was disabled while it was made", async () => {
  const copy: Copy = async (to, signal) => {
    await updateUser(world, ann.id, { status: "DISABLED" });
    world.clock.advance(1000);
    return world.copyNow(to, signal);
  };
  const world = openWith({ copy });
  await addUser(world, "ben", "owner");
  const ann = await addUser(world, "ann", "owner");
  const client = await withCookie(world, await signIn(world, "ann"));
  await expectRefused(client.download("backup.create"), "UNAUTHORIZED");
  expect([world.left(), await world.audited()]).toEqual([[], []]);
});

test("no backup is made without its audit row", async ({ with: { database, backUp, left } }) => {
  const forbid =
    "CREATE TRIGGER no_audit BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'no'); END";
  await database.write((tx) => tx.run(forbid));
  await expectRefused(backUp(), "INTERNAL_ERROR");
  expect(left()).toEqual([]);
  await database.write((tx) => tx.run("DROP TRIGGER no_audit"));
  await backUp();
});

test("a slow copy is aborted and logged", async ({ endlessCopy: { copy } }) => {
  const { backUp, left, warnings } = openWith({ copy, makingMs: () => 20 });
  const message = "The backup was not made within 0.02 s.";
  await expect(backUp()).rejects.toMatchObject({ code: "UNAVAILABLE", message });
  expect([left(), warnings]).toEqual([[], [message]]);
});

test("a large database has more time", async ({ endlessCopy: { copy } }) => {
  expect([0, 1e9, 1.5e9, 10e9].map((bytes) => backupTimeoutMs(bytes) / 1000)).toEqual([
    900, 900, 900, 6000,
  ]);
  const sizes: number[] = [];
  const makingMs = (databaseBytes: number) => {
    sizes.push(databaseBytes);
    return 1;
  };
  const { backUp, file } = openWith({ copy, makingMs });
  await expect(backUp()).rejects.toThrow("The backup was not made");
  expect(sizes).toEqual([statSync(file).size]);
});

test("a caller that leaves ends the copy", async ({ endlessCopy: { copy, begun } }) => {
  const { core, left, warnings } = openWith({ copy });
  const { caller, leave, listens } = leavingCaller();
  const making = createBackup({ ...systemContext(core), caller });
  await begun;
  await core.backups.removeLeftovers();
  expect(left()).toHaveLength(1);
  leave();
  await expect(making).rejects.toThrow("The caller has left.");
  expect([left(), warnings, listens()]).toEqual([[], [], false]);
});

test("no copy is made for a caller that has left", async ({ with: { core, left, audited } }) => {
  const { caller, leave } = leavingCaller();
  leave();
  await expect(createBackup({ ...systemContext(core), caller })).rejects.toThrow("has left");
  expect([left(), await audited()]).toEqual([[], []]);
});

test("a caller that leaves before or during reading frees the place", async ({
  with: { core, backUp },
}) => {
  for (const read of [0, 1]) {
    const { caller, leave } = leavingCaller();
    const { chunks } = await createBackup({ ...systemContext(core), caller });
    const reader = chunks[Symbol.asyncIterator]();
    for (let i = 0; i < read; i++) expect((await reader.next()).done).toBe(false);
    await expectRefused(backUp(), "RATE_LIMITED");
    leave();
    await untilFree(backUp);
  }
});

test("a caller that leaves while the audit row is written frees the place", async ({
  with: { core, backUp, audited },
}) => {
  const { caller, leave } = leavingCaller();
  const { newId } = core;
  core.newId = (prefix) => {
    leave();
    return newId(prefix);
  };
  const { chunks } = await createBackup({ ...systemContext(core), caller });
  expect(await audited()).toHaveLength(1);
  await expect(bytesOf(chunks)).rejects.toThrow();
  await untilFree(backUp);
});

test("making and reading have separate time limits", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { as } = openWith({ makingMs: () => 400 });
  const { chunks, headers } = await as("owner").download("backup.create");
  vi.advanceTimersByTime(500);
  expect((await bytesOf(chunks)).length).toBe(Number(headers["content-length"]));
});

test("a stalled reader is aborted", async () => {
  const { as, backUp } = openWith({ stalledMs: 20 });
  const { chunks } = await as("owner").download("backup.create");
  await untilFree(backUp);
  await expect(bytesOf(chunks)).rejects.toThrow("The backup was not read for 0.02 s.");
});

test("a stop aborts the copy and the reader, and refuses new backups", async ({
  endlessCopy: { copy, begun },
}) => {
  const stopping = { code: "UNAVAILABLE", message: "The service is stopping." };
  const making = openWith({ copy });
  const refused = expect(making.backUp()).rejects.toMatchObject(stopping);
  await begun;
  // The caller gets the refusal before its connection is closed.
  making.app.beginToStop();
  await refused;
  await making.app.close();
  expect(making.left()).toEqual([]);
  await expect(making.backUp()).rejects.toMatchObject(stopping);

  const reading = openWith();
  const { chunks } = await reading.as("owner").download("backup.create");
  await reading.app.close();
  await expect(bytesOf(chunks)).rejects.toThrow("The service is stopping.");
});

test("leftovers of a crash are removed, and other folders stay", async ({
  with: { folder, left, core, backUp },
}) => {
  const ours = `backup-${process.pid}-crashd`;
  const dead = "backup-4194305-crashd"; // above the highest pid of Linux
  const mine = "backup-notes";
  for (const name of [ours, dead, mine]) {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, "copy.db"), "half");
  }
  await core.backups.removeLeftovers();
  expect(left()).toEqual([mine]);
  mkdirSync(join(folder, dead));
  await backUp();
  expect(left()).toEqual([mine]);
});

test("a copy that cannot be removed is sent, and is removed by the next backup", async ({
  with: { backUp, left, warnings },
}) => {
  let isBroken = true;
  replaceBuiltin<typeof import("node:fs/promises")>("node:fs/promises", (real) => ({
    rm: async (...given) => {
      if (isBroken) throw new Error("EIO");
      return real.rm(...given);
    },
  }));
  expect((await backUp()).length).toBeGreaterThan(0);
  expect(warnings).toEqual([
    "the copy of a backup could not be removed; the next backup tries again",
  ]);
  expect(left()).toHaveLength(1);
  isBroken = false;
  await backUp();
  expect(left()).toEqual([]);
});

test("an unwritable folder is reported without its path", async ({
  with: { core, backUp, folder },
}) => {
  const absent = join(folder, "absent");
  core.backups = new BackupMaker({
    folder: absent,
    copy: async () => expect.fail(),
    log: core.log,
  });
  await expect(backUp()).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "A backup cannot be made beside the database: ENOENT.",
  });
});
