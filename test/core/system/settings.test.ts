// Which value of a setting applies, and from when, after an owner has changed it.

import { describe, expect } from "vitest";
import type { SettingsPatch } from "../../../src/core/system/settings.ts";
import { Settings } from "../../../src/core/system/settings-cache.ts";
import { jobTable } from "../../../src/jobs/index.ts";
import type { Database } from "../../../src/store/database.ts";
import { openTestApp, type TestApp } from "../../helpers/app.ts";
import { addUser, anotherProcess, auditOf, second, signIn, withCookie } from "../access/people.ts";
import { expectInvalid } from "../refusals.ts";
import { test } from "../scene.ts";

const configured = {
  workspaceName: "default",
  maintenanceIntervalSeconds: 60,
  auditRetentionDays: 90,
  busEventRetentionDays: 30,
  commandRetentionDays: 90,
  silentRetentionDays: 0,
  serviceHistoryRetentionDays: 35,
  operatorLabels: [] as string[],
};

const get = ({ as }: TestApp) => as("owner").call("settings.get");
const patch = ({ as }: TestApp, body: SettingsPatch) =>
  as("owner").call("settings.update", { body });

test("the configuration applies by default", async () => {
  expect(await get(openTestApp())).toEqual({
    settings: configured,
    configured,
    changed: [],
    declaredIn: {},
  });
  const env = { WORKSPACE_NAME: "Plant 7", AUDIT_RETENTION_DAYS: "0" };
  const own = { ...configured, workspaceName: "Plant 7", auditRetentionDays: 0 };
  expect(await get(openTestApp(env))).toEqual({
    settings: own,
    configured: own,
    changed: [],
    declaredIn: {},
  });
});

test("a change applies immediately, and null reverts it", async ({ app: scene }) => {
  const first = { workspaceName: "Plant 7", busEventRetentionDays: 0 };
  expect(await patch(scene, first)).toEqual({
    settings: { ...configured, ...first },
    configured,
    changed: ["workspaceName", "busEventRetentionDays"],
    declaredIn: {},
  });
  expect(await scene.app.core.settings.live.get()).toEqual({ ...configured, ...first });
  await patch(scene, { maintenanceIntervalSeconds: 5, workspaceName: null });
  expect(await get(scene)).toEqual({
    settings: { ...configured, busEventRetentionDays: 0, maintenanceIntervalSeconds: 5 },
    configured,
    changed: ["maintenanceIntervalSeconds", "busEventRetentionDays"],
    declaredIn: {},
  });
  expect((await auditOf(scene, "settings.updated")).map(({ metadata }) => metadata)).toEqual([
    {
      workspaceName: { from: "default", to: "Plant 7" },
      busEventRetentionDays: { from: 30, to: 0 },
    },
    {
      workspaceName: { from: "Plant 7", to: "default" },
      maintenanceIntervalSeconds: { from: 60, to: 5 },
    },
  ]);
});

test("an update without a change leaves no audit row", async ({ app: scene }) => {
  const before = await patch(scene, { workspaceName: "Plant 7" });
  const same = { workspaceName: "Plant 7", maintenanceIntervalSeconds: null };
  expect(await patch(scene, same)).toEqual(before);
  expect(await auditOf(scene, "settings.updated")).toHaveLength(1);
});

test("a setting with the configured value is kept when the configuration changes", async ({
  app: scene,
}) => {
  await patch(scene, { maintenanceIntervalSeconds: 60 });
  const other = anotherProcess(scene, { maintenanceIntervalSeconds: 30, workspaceName: "new" });
  expect(await other.call("settings.get")).toMatchObject({
    settings: { maintenanceIntervalSeconds: 60, workspaceName: "new" },
    changed: ["maintenanceIntervalSeconds"],
    declaredIn: {},
  });
});

test.for<Record<string, unknown>>([
  { workspaceName: "x".repeat(101) },
  { maintenanceIntervalSeconds: 0 },
  { auditRetentionDays: 36_501 },
])("an update is refused and changes nothing: %o", async (body, { app: scene }) => {
  const [path] = Object.keys(body);
  // The valid value in the same request must not be stored either.
  const good = path === "auditRetentionDays" ? { workspaceName: "x" } : { auditRetentionDays: 1 };
  await expectInvalid(patch(scene, { ...good, ...body }), path!);
  expect(await get(scene)).toEqual({
    settings: configured,
    configured,
    changed: [],
    declaredIn: {},
  });
});

describe("a change by another process", () => {
  test("applies at the next read", async ({ app: scene }) => {
    await addUser(scene, "ada", "owner");
    const cookie = await signIn(scene, "ada");
    const other = anotherProcess(scene);
    const seen = async () => (await withCookie(scene, cookie)).call("settings.get");
    expect((await seen()).settings).toEqual(configured);
    await other.call("settings.update", { body: { workspaceName: "Plant 7" } });
    expect((await scene.app.core.settings.live.get()).workspaceName).toBe("Plant 7");
    await other.call("settings.update", { body: { workspaceName: "Plant 8" } });
    expect(await seen()).toMatchObject({
      settings: { workspaceName: "Plant 8" },
      changed: ["workspaceName"],
      declaredIn: {},
    });
    expect(await auditOf(scene, "settings.updated")).toMatchObject([
      { actorType: "LOCAL", actorName: "ada" },
      { metadata: { workspaceName: { from: "Plant 7", to: "Plant 8" } } },
    ]);
  });

  test("during a read does not leave the old value in the cache", async () => {
    const rows = [{ key: "workspaceName", value: '"old"' }];
    let answer: (rows: object[]) => void = () => undefined;
    const all = () => new Promise((resolve) => (answer = resolve));
    const db = { read: { all }, checkForeignChange: () => undefined } as unknown as Database;
    const settings = new Settings(db, configured);
    const reading = settings.get();
    settings.forget();
    answer(rows);
    expect((await reading).workspaceName).toBe("old");
    const again = settings.get();
    answer([{ key: "workspaceName", value: '"new"' }]);
    expect((await again).workspaceName).toBe("new");
    expect((await settings.get()).workspaceName).toBe("new");
  });
});

describe("the maintenance interval", () => {
  /** Advances the clock second by second, and returns how many sweeps ran. */
  function running(scene: TestApp) {
    const job = jobTable().find(({ name }) => name === "sweep")!;
    let swept = 0;
    const { core } = scene.app;
    core.log = { ...core.log, debug: () => swept++ };
    return async (seconds: number): Promise<number> => {
      swept = 0;
      for (let n = 0; n < seconds; n++) {
        scene.clock.advance(second);
        await job.run(core);
      }
      return swept;
    };
  }

  test("changes apply to the sweep immediately", async () => {
    const scene = openTestApp({ MAINTENANCE_INTERVAL_SECONDS: "600" });
    const sweepsIn = running(scene);
    expect(await sweepsIn(500)).toBe(0);
    expect(await sweepsIn(101)).toBe(1);
    await patch(scene, { maintenanceIntervalSeconds: 100 });
    expect(await sweepsIn(450)).toBe(4);
    await patch(scene, { maintenanceIntervalSeconds: 1000 });
    expect(await sweepsIn(800)).toBe(0);
    await patch(scene, { maintenanceIntervalSeconds: null });
    expect(await sweepsIn(1)).toBe(1);
    expect(await sweepsIn(500)).toBe(0);
  });

  test("ignores the wall clock", async ({ app: scene }) => {
    const sweepsIn = running(scene);
    scene.clock.jump(86_400_000);
    // The jump itself makes a sweep due.
    expect(await sweepsIn(1)).toBe(1);
    expect(await sweepsIn(50)).toBe(0);
    expect(await sweepsIn(10)).toBe(1);
  });
});
