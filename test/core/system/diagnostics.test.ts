import { existsSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect, vi } from "vitest";
import type { App } from "../../../src/app.ts";
import { presentCaller } from "../../../src/core/caller.ts";
import { agentKey, commandKey } from "../../../src/core/changes/doorbell.ts";
import { contractVersion } from "../../../src/domain/contract-version.ts";
import { loadMigrations } from "../../../src/store/engine/migrations.ts";
import { openTestApp, startOfTime, temporaryFolder } from "../../helpers/app.ts";
import { test } from "../scene.ts";

test("diagnostics contain versions, sizes, the schema and the configuration", async () => {
  let time = 0;
  const settings = {
    VERSION: "1.2.3",
    COMMIT: "abc",
    SESSION_TTL_SECONDS: "60",
    AGENT_MAX_SERVICES: "7",
    METRICS_MAX_SERIES: "50",
  };
  const { as, database } = openTestApp(settings, { monotonic: () => time });
  time += 2500;
  const found = await as("viewer").call("diagnostics.get");
  expect(found).toMatchObject({
    service: { version: "1.2.3", commit: "abc", edition: "ce", contractVersion },
    process: {
      pid: process.pid,
      node: process.versions.node,
      arch: process.arch,
      uptimeSeconds: 2,
    },
    database: { engine: database.engine },
    configuration: {
      agentOfflineThresholdSeconds: 90,
      commandTtlSeconds: 300,
      sessionTtlSeconds: 60,
      auditRetentionDays: 90,
      maxServicesPerAgent: 7,
      metricsMaxSeries: 50,
    },
    limits: { perClient: { connectionsPerAddress: null, requestsPerSecond: null } },
    eventLoopDelay: null,
  });
  // Tests share PostgreSQL's databases, so an earlier test with another clock may have migrated
  // this one.
  const appliedAt =
    database.engine === "sqlite"
      ? new Date(startOfTime).toISOString()
      : expect.stringMatching(/^\d{4}-.*Z$/);
  expect(found.database.migrations).toEqual(
    loadMigrations(database.engine).map(({ version, name }) => ({ version, name, appliedAt })),
  );
  expect(found.database.pageCount).toBeGreaterThan(10);
  expect(found.process.memory.residentBytes).toBeGreaterThan(1e6);
  expect(found.process.cpuSeconds).toBeGreaterThan(0);
});

test("diagnostics contain the name and the size of the database", async ({
  app: { as, database, file },
}) => {
  const found = (await as("viewer").call("diagnostics.get")).database;
  if (database.engine === "sqlite") {
    expect(found).toMatchObject({
      fileName: basename(file),
      sizeBytes: statSync(file).size,
      pageSizeBytes: 4096,
    });
  } else {
    expect(found).toMatchObject({ fileName: expect.stringMatching(/^test_/), pageSizeBytes: 8192 });
    expect(found.pageCount).toBe(Math.floor(found.sizeBytes / 8192));
  }
});

test("diagnostics contain the depths of queues", async ({
  scene: { app, as, execute, poll, result },
}) => {
  const { doorbell, passwords } = app.core;
  const queues = async () => (await as("viewer").call("diagnostics.get")).queues;
  const idle = {
    writes: 0,
    heldPolls: 0,
    waitingReaders: 0,
    passwordsRunning: 0,
    passwordsWaiting: 0,
    oneTimeSecrets: 0,
  };
  expect(await queues()).toEqual(idle);
  const keys = [agentKey("a"), agentKey("b"), commandKey("c"), commandKey("c"), commandKey("d")];
  const waiters = keys.map((key) => doorbell.register(key, presentCaller));
  const hashing: Promise<string>[] = [];
  beforeCounting(app, () => {
    hashing.push(...["a", "b", "c"].map((password) => passwords.hash(password)));
  });
  expect(await queues()).toEqual({
    ...idle,
    heldPolls: 2,
    waitingReaders: 3,
    passwordsRunning: 2,
    passwordsWaiting: 1,
  });
  await Promise.all(hashing);
  for (const waiter of waiters) waiter.close();
  const id = await execute();
  await poll();
  await result(id, { success: true, output: { generatedKey: "secret" } });
  expect(await queues()).toEqual({ ...idle, oneTimeSecrets: 1 });
});

test("diagnostics contain the number of queued writes", async ({ app: { app, as, database } }) => {
  const writes: Promise<number>[] = [];
  beforeCounting(app, () => {
    writes.push(...[1, 2, 3].map(() => database.write(async (tx) => tx.now)));
  });
  expect((await as("viewer").call("diagnostics.get")).queues.writes).toBe(3);
  await Promise.all(writes);
});

/**
 * Fills queues at the moment when they are counted, because they could be empty again a turn later.
 */
function beforeCounting({ core }: App, fill: () => void): void {
  const { doorbell } = core;
  const countWaiting = doorbell.countWaiting.bind(doorbell);
  vi.spyOn(doorbell, "countWaiting").mockImplementationOnce(() => {
    fill();
    return countWaiting();
  });
}

test("diagnostics show a wall clock jump", async ({ app: { as, clock } }) => {
  const moved = async () => (await as("viewer").call("diagnostics.get")).clock;
  clock.advance(60_000);
  expect(Math.abs((await moved()).wallClockMovedMs)).toBeLessThan(30_000);
  clock.jump(3_600_000);
  const { wallClockMovedMs, startedAt, now } = await moved();
  expect(Math.abs(wallClockMovedMs - 3_600_000)).toBeLessThan(30_000);
  expect(Date.parse(startedAt)).toBe(startOfTime);
  expect(Date.parse(now)).toBe(startOfTime + 3_660_000);
});

test("diagnostics contain no secret and no path", async () => {
  const password = "correct horse battery";
  const sessionSecret = "0123456789abcdef0123456789abcdef-secret";
  const DATA_DIR = temporaryFolder();
  const settings = { DATA_DIR, ADMIN_PASSWORD: password, SESSION_SECRET: sessionSecret };
  const { as, app, file, registerAgent } = openTestApp(settings);
  await app.welcomeOwner();
  const { agentToken } = await registerAgent();
  const { key } = await as("owner").call("api-keys.create", { body: { name: "k", role: "owner" } });
  const text = JSON.stringify(await as("owner").call("diagnostics.get"));
  const auditKey = readFileSync(join(dirname(file), "audit.key"), "utf8").trim();
  expect(existsSync(join(dirname(file), "session.key"))).toBe(false);
  for (const secret of [password, sessionSecret, agentToken, key, auditKey, "platform_"]) {
    expect(secret.length).toBeGreaterThan(8);
    expect(text).not.toContain(secret);
  }
  expect(text).not.toContain("/");
});
