// If the wall clock is far ahead of the database, deletions pause for a day and then go slowly,
// until the clock has been steady for a week and a day or an owner confirms it.

import { describe, expect } from "vitest";
import { createApp } from "../../../src/app.ts";
import { authenticateSession } from "../../../src/core/access/sessions.ts";
import { timeToDeleteBy } from "../../../src/core/clock/retention-clock.ts";
import type { Core } from "../../../src/core/context.ts";
import { sweep } from "../../../src/core/system/maintenance.ts";
import type { Principal } from "../../../src/domain/access/principals.ts";
import { openTestApp, type TestApp, testWorld } from "../../helpers/app.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { addUser, signIn } from "../access/people.ts";
import { addRows, entry, logged } from "../audit/long-trail.ts";
import { openNodes } from "../nodes.ts";
import { expectRefused } from "../refusals.ts";
import { test as base } from "../scene.ts";

const test = base.extend("withHistoryScene", () => withHistory());

const day = 24 * 60 * 60 * 1000;

/** Opens another service on the same database, as after a restart. */
async function restarted(app: TestApp): Promise<Core> {
  const { monotonic } = app.clock;
  const next = createApp(app.config, app, { ...testWorld, monotonic });
  await next.noteStarted();
  return next.core;
}

async function passDays(core: Core, { clock }: TestApp, days: number): Promise<number> {
  let pruned = 0;
  for (let passed = 0; passed < days; passed += 0.25) {
    clock.advance(day / 4);
    core.statusClock.watch();
    pruned += (await sweep(core)).auditEventsPruned;
  }
  return pruned;
}

/** Creates a service with four weeks of history, one row a day, and stops it. */
async function withHistory(): Promise<TestApp> {
  const app = openTestApp({ AUDIT_RETENTION_DAYS: "28" });
  await app.app.noteStarted();
  for (let days = 0; days < 28; days++) {
    await addRows(app, 1);
    app.clock.advance(day);
    await sweep(app.app.core);
  }
  return app;
}

async function rowsIn(app: TestApp): Promise<number> {
  const { pagination } = await app.as("viewer").page("audit-events.list");
  return pagination.total;
}

test("a service that starts with the clock years ahead, even often, deletes nothing for a day", async ({
  withHistoryScene: app,
}) => {
  const before = await rowsIn(app);
  app.clock.jump(3650 * day);
  for (let start = 0; start < 3; start++) await sweep(await restarted(app));
  const core = await restarted(app);
  expect((await sweep(core)).auditEventsPruned).toBe(0);
  expect(await passDays(core, app, 0.75)).toBe(0);
  expect(await rowsIn(app)).toBe(before + 4);
});

test("after a day, a week more is deleted each day, and everything once the clock is trusted", async ({
  withHistoryScene: app,
}) => {
  app.clock.jump(3650 * day);
  const core = await restarted(app);
  expect(await passDays(core, app, 0.75)).toBe(0);
  await passDays(core, app, 0.25);
  // One row was written each day, and one at the start.
  expect(await passDays(core, app, 1)).toBeGreaterThanOrEqual(7);
  expect(await passDays(core, app, 1)).toBeLessThanOrEqual(9);
  await passDays(core, app, 6);
  const { data } = await app.as("viewer").page("audit-events.list", { query: { pageSize: 200 } });
  expect(data.filter(({ action }) => action === entry.action)).toEqual([]);
});

test("a database without a retention clock uses its newest time", async ({
  withHistoryScene: app,
}) => {
  await app.database.write((tx) => tx.run("DELETE FROM settings WHERE key = 'retentionClock'"));
  const before = await rowsIn(app);
  app.clock.jump(3650 * day);
  expect((await sweep(await restarted(app))).auditEventsPruned).toBe(0);
  expect(await rowsIn(app)).toBe(before + 1);
});

test("only an owner can confirm the clock, which is audited", async ({ withHistoryScene: app }) => {
  app.clock.jump(3650 * day);
  app.app.core.statusClock.watch();
  const run = (role: "operator" | "owner") =>
    app.as(role).call("maintenance.run", { body: { trustClock: true } });
  await expectRefused(run("operator"), "FORBIDDEN");
  expect((await app.as("operator").call("maintenance.run")).auditEventsPruned).toBe(0);
  expect((await run("owner")).auditEventsPruned).toBeGreaterThan(25);
  const [row] = await app
    .as("viewer")
    .call("audit-events.list", { query: { action: "settings.updated" } });
  expect(row?.metadata).toMatchObject({
    retentionClock: { to: new Date(app.clock.now()).toISOString() },
  });
});

test("a warning is logged once an hour", async ({ withHistoryScene: app }) => {
  const warnings = logged(app, "warn");
  app.clock.jump(3650 * day);
  for (let minute = 0; minute < 90; minute += 5) {
    app.clock.advance(300_000);
    app.app.core.statusClock.watch();
    await sweep(app.app.core);
  }
  const told = warnings.filter(({ message }) => message.includes("--trust-clock"));
  expect(told).toHaveLength(2);
});

test("suspending the process for ten minutes logs no warning", async ({ app }) => {
  await app.app.noteStarted();
  const warnings = logged(app, "warn");
  app.clock.jump(600_000);
  for (let hour = 0; hour < 26; hour += 2) {
    app.clock.advance(2 * 3_600_000);
    app.app.core.statusClock.now();
    await sweep(app.app.core);
  }
  expect(warnings.filter(({ message }) => message.includes("--trust-clock"))).toEqual([]);
});

test("nothing is deleted for a day after a jump, by no other process either", async ({
  withHistoryScene: app,
}) => {
  const { core } = app.app;
  app.clock.jump(0.9 * day);
  core.statusClock.watch();
  expect((await sweep(core)).auditEventsPruned).toBe(0);
  const next = await restarted(app);
  expect((await sweep(next)).auditEventsPruned).toBe(0);
  expect(await passDays(next, app, 0.75)).toBe(0);
  expect(await passDays(next, app, 1)).toBeGreaterThan(0);
});

test.for<[where: string, confirming: Principal]>([
  [
    "at one server",
    { kind: "apiKey", keyId: "key_1", name: "key", role: "owner", userId: null, makerId: null },
  ],
  ["with --db", { kind: "local", osUser: "ada" }],
])(
  "what an owner confirms %s counts for the other servers",
  async ([, confirming], { withHistoryScene: app }) => {
    const { core } = app.app;
    app.clock.jump(0.9 * day);
    core.statusClock.watch();
    await sweep(core);
    const env = { AUDIT_RETENTION_DAYS: "28", DATA_DIR: app.config.dataDir };
    const other = openTestApp(env, {}, app.clock);
    const owner = other.asPrincipal(confirming);
    await owner.call("maintenance.run", { body: { trustClock: true } });
    expect(await passDays(core, app, 0.75)).toBeGreaterThan(0);
  },
);

describe.skipIf(!hasPostgres)("two nodes", () => {
  test("do not shorten the day for which nothing is deleted", async () => {
    const { one, other } = await openNodes();
    const moves = async () => {
      for (const { app } of [one, other]) await timeToDeleteBy(app.core);
      return timeToDeleteBy(one.app.core);
    };
    const before = await moves();
    one.clock.jump(0.9 * day);
    for (const { app } of [one, other]) app.core.statusClock.watch();
    for (let hours = 0; hours < 24; hours += 6) {
      expect(await moves()).toBe(before);
      one.clock.advance(day / 4);
    }
    one.clock.advance(day / 4);
    expect(await moves()).toBeGreaterThan(before);
  });
});

test("correcting a clock that was behind delays nothing", async ({ withHistoryScene: app }) => {
  app.clock.jump(-5000 * day);
  const core = await restarted(app);
  await sweep(core);
  app.clock.jump(5001 * day);
  core.statusClock.watch();
  // After a jump, the clock is doubtful for a day and then trusted.
  expect(await passDays(core, app, 3)).toBeGreaterThan(3);
});

test("correcting the clock does not expire tokens or sessions", async ({ app }) => {
  await app.app.noteStarted();
  const operator = app.as("operator");
  const { id: tokenId } = await operator.call("registration-tokens.create", { body: {} });
  await addUser(app, "somebody", "viewer");
  const cookie = await signIn(app, "somebody");
  app.clock.jump(100 * day);
  const swept = await sweep(await restarted(app));
  expect(swept).toMatchObject({ registrationTokensExpired: 0, sessionsEnded: 0 });
  app.clock.jump(-100 * day);
  const { status } = await operator.call("registration-tokens.get", { params: { tokenId } });
  expect(status).toBe("ACTIVE");
  expect(await authenticateSession(app.app.core, cookie)).toMatchObject({ username: "somebody" });
});
