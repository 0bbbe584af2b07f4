// Service reports: changes are stored and audited, and secrets never reach the database.

import { text } from "node:stream/consumers";
import { describe, expect } from "vitest";
import { flushPresence } from "../../../src/core/presence/flush.ts";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import { type ServiceInput, startOfTime } from "../../helpers/app.ts";
import { isStored } from "../../helpers/stored.ts";
import { expectRefused } from "../refusals.ts";
import { test as base, openScene, type Scene } from "../scene.ts";

const test = base.extend("reported", () => openReported());

const reportedService = {
  code: "log-collector",
  name: "Log collector",
  version: "1.0.0",
  healthStatus: "UP",
  configs: [{ key: "LEVEL", type: "string", valuePreview: "info" }],
  actions: [{ name: "rotate", timeoutSeconds: 60 }],
} satisfies ServiceInput;

async function openReported(): Promise<Scene> {
  const scene = await openScene();
  await scene.report([reportedService]);
  scene.clock.advance(1000);
  return scene;
}

const at = (ms: number) => new Date(startOfTime + ms).toISOString();

test("a new service is stored, audited once, and returned", async ({ scene }) => {
  const { services } = await scene.report([
    { ...reportedService, code: "new-one", healthStatus: "DOWN" },
  ]);
  expect(services).toEqual([
    {
      id: expect.stringMatching(/^svc_/),
      code: "new-one",
      status: "UNHEALTHY",
      storedStatus: "UNHEALTHY",
    },
  ]);
  expect(await scene.auditOf(services[0]!.id)).toEqual(["service.reported"]);
});

test("an unchanged report writes nothing before the next flush", async ({ reported: scene }) => {
  await flushPresence(scene.app.core);
  const written = scene.watchWrites();
  const first = await scene.report([reportedService]);
  scene.clock.advance(1000);
  expect(await scene.report([reportedService])).toEqual(first);
  expect(await scene.report([{ ...reportedService }])).toEqual(first);
  expect(written()).toBe(false);
  await flushPresence(scene.app.core);
  expect(written()).toBe(true);
  await flushPresence(scene.app.core);
  expect(written()).toBe(false);
  expect(await scene.service()).toMatchObject({ updatedAt: at(0), lastReportedAt: at(2000) });
  // The same is true with an empty report cache, as after a restart.
  scene.app.core.reportCache.clear();
  const before = await scene.auditOf(scene.serviceId);
  expect(await scene.report([reportedService])).toEqual(first);
  expect(await scene.service()).toMatchObject({ updatedAt: at(0) });
  expect(await scene.auditOf(scene.serviceId)).toEqual(before);
});

test.for<[what: string, change: Partial<ServiceInput>, audited: string[], moves: boolean]>([
  ["nothing", {}, [], false],
  ["version", { version: "1.0.1" }, ["version.changed"], true],
  [
    "a config's value",
    { configs: [{ key: "LEVEL", type: "string", valuePreview: "debug" }] },
    ["config.changed"],
    true,
  ],
  [
    "an action's time",
    { actions: [{ name: "rotate", timeoutSeconds: 61 }] },
    ["actions.changed"],
    true,
  ],
  ["health", { healthStatus: "DOWN" }, ["health.changed"], false],
  ["health gone", { healthStatus: undefined as never }, ["health.changed"], false],
  [
    "health's message",
    { healthStatus: undefined as never, health: { status: "UP", message: "slow" } },
    [],
    false,
  ],
  ["name", { name: "Logs" }, ["updated"], true],
  ["manifest", { manifest: { a: 1 } }, ["updated"], true],
  [
    "everything",
    { version: "2", configs: [], actions: [], healthStatus: "DOWN" },
    ["version.changed", "config.changed", "actions.changed", "health.changed"],
    true,
  ],
])("change of %s", async ([_what, change, audited, moves], { reported: scene }) => {
  const before = (await scene.auditOf(scene.serviceId)).length;
  const reported = { ...reportedService, ...change };
  await scene.report([reported]);
  expect((await scene.auditOf(scene.serviceId)).slice(before)).toEqual(
    audited.map((what) => `service.${what}`),
  );
  const after = await scene.service();
  expect(after).toMatchObject({
    name: reported.name,
    version: reported.version,
    updatedAt: at(moves ? 1000 : 0),
    lastReportedAt: at(1000),
    healthChangedAt: at(audited.includes("health.changed") ? 1000 : 0),
  });
  expect(after.actions.map(({ name }) => name)).toEqual(reported.actions.map(({ name }) => name));
});

test("no sensitive value reaches the database", async ({ scene }) => {
  const ownToken = mintToken("agent", (bytes) => bytes.fill(7));
  await scene.report([
    {
      ...reportedService,
      description: `made with ${ownToken}`,
      version: ownToken,
      configs: [
        {
          key: "DSN",
          type: "string",
          sensitive: true,
          valuePreview: "hunter2",
          defaultValue: "hunter3",
        },
        { key: "API_KEY", type: "string", valuePreview: "hunter4" },
        { key: "NOTE", type: "string", valuePreview: ownToken },
      ],
      manifest: { token: "hunter5", note: ownToken },
      runtime: { password: "hunter6" },
      health: { status: "UP", message: ownToken, details: { cookie: "hunter7" } },
    },
  ]);
  const kept = { type: "string", editable: false };
  expect((await scene.service()).configs).toEqual([
    { ...kept, key: "DSN", sensitive: true },
    { ...kept, key: "API_KEY", sensitive: false, valuePreview: "[REDACTED]" },
    { ...kept, key: "NOTE", sensitive: false, valuePreview: "platform_agent_[REDACTED]" },
  ]);
  expect(await isStored(scene, "hunter")).toBe(false);
  expect(await isStored(scene, ownToken)).toBe(false);
  expect(await isStored(scene, "DSN")).toBe(true);
});

test("missing fields of actions and of the health have defaults", async ({ scene }) => {
  await scene.report([
    {
      ...reportedService,
      healthStatus: undefined as never,
      health: { status: "DEGRADED", message: "slow", details: { queue: 7 } },
      actions: [
        { name: "a" },
        { name: "b", dangerLevel: "HIGH" },
        { name: "c", dangerLevel: "HIGH", requiresConfirmation: false },
        { name: "d", prepare: false },
      ],
    },
  ]);
  const stored = await scene.service();
  expect(stored).toMatchObject({
    healthStatus: "DEGRADED",
    healthMessage: "slow",
    healthDetails: { queue: 7 },
    status: "UNHEALTHY",
  });
  const plain = {
    ...{ description: "", category: null, order: null, hidden: false },
    ...{ timeoutSeconds: null, inputSchema: {}, prepare: true },
  };
  expect(stored.actions).toEqual([
    { ...plain, name: "a", label: "a", dangerLevel: "LOW", requiresConfirmation: false },
    { ...plain, name: "b", label: "b", dangerLevel: "HIGH", requiresConfirmation: true },
    { ...plain, name: "c", label: "c", dangerLevel: "HIGH", requiresConfirmation: false },
    {
      ...plain,
      ...{ name: "d", label: "d", dangerLevel: "LOW", requiresConfirmation: false },
      prepare: false,
    },
  ]);
});

test("actions have categories and an order, and those of rows are hidden", async ({ scene }) => {
  await scene.report([
    {
      ...reportedService,
      actions: [
        { name: "b" },
        { name: "d", category: "data", order: 2 },
        { name: "c", category: "data", order: 1, hidden: true },
        { name: "a", category: "row-action" },
        { name: "e", category: "page-action", hidden: false },
      ],
    },
  ]);
  const { actions } = await scene.service();
  const seen = actions.map(({ name, category, order, hidden }) => [name, category, order, hidden]);
  expect(seen).toEqual([
    ["c", "data", 1, true],
    ["d", "data", 2, false],
    ["e", "page-action", null, false],
    ["a", "row-action", null, true],
    ["b", null, null, false],
  ]);
});

test("null for optional fields is no change when the report is stored again", async ({ scene }) => {
  const reported = {
    ...reportedService,
    configs: [{ key: "LEVEL", type: "string", label: null, source: null, secretRef: null }],
    actions: [{ name: "rotate", category: null, order: null, timeoutSeconds: null }],
  };
  await scene.report([reported]);
  const before = [(await scene.service()).updatedAt, await scene.auditOf(scene.serviceId)];
  scene.clock.advance(1000);
  scene.app.core.reportCache.clear();
  await scene.report([reported]);
  const after = [(await scene.service()).updatedAt, await scene.auditOf(scene.serviceId)];
  expect(after).toEqual(before);
});

test("the same actions are not stored again when the health changes", async ({ scene }) => {
  const actions = [{ name: "a", category: "x", order: 1 }, { name: "b" }];
  await scene.report([{ ...reportedService, actions, healthStatus: "UP" }]);
  await scene.report([{ ...reportedService, actions, healthStatus: "DOWN" }]);
  const audited = await scene.auditOf(scene.serviceId);
  expect(audited.filter((action) => action === "service.actions.changed")).toHaveLength(1);
});

test.for<[title: string, services: ServiceInput[], path: string]>([
  ["a duplicate code", [reportedService, reportedService], "services.1.code"],
  [
    "a duplicate key",
    [{ ...reportedService, configs: [reportedService.configs[0], reportedService.configs[0]] }],
    "services.0.configs",
  ],
  [
    "a duplicate name",
    [{ ...reportedService, actions: [{ name: "a" }, { name: "a" }] }],
    "services.0.actions",
  ],
])("a report is refused as a whole: %s", async ([_title, services, path], { reported: scene }) => {
  const written = scene.watchWrites();
  const refused = scene.report([{ ...reportedService, code: "fine" }, ...services].reverse());
  await expectRefused(refused, "VALIDATION_FAILED");
  const error = await scene.report(services).catch((reason) => reason);
  expect(error.details.issues).toMatchObject([{ path }]);
  expect(written()).toBe(false);
});

test("services that a report omits are kept and become STALE", async ({ reported: scene }) => {
  await scene.report([reportedService, { ...reportedService, code: "other" }]);
  const statuses = async () =>
    Object.fromEntries(
      (await scene.as("viewer").call("services.list")).map((s) => [s.code, s.status]),
    );
  scene.clock.advance(60_000);
  await scene.report([reportedService]);
  scene.clock.advance(60_000);
  await scene.report([reportedService]);
  expect(await statuses()).toEqual({ "log-collector": "HEALTHY", other: "HEALTHY" });
  scene.clock.advance(1);
  expect(await statuses()).toEqual({ "log-collector": "HEALTHY", other: "STALE" });
  await scene.report([]);
  expect(await statuses()).toEqual({ "log-collector": "HEALTHY", other: "STALE" });
});

describe("a complete report", () => {
  const web = { ...reportedService, code: "web" };
  const reportAll = ({ agent }: Scene, services: ServiceInput[]) =>
    agent.client.call("agent.report", { body: { complete: true, services: services as never } });

  test("marks missing services as removed, which come back", async ({ reported: scene }) => {
    const { as, serviceId, clock } = scene;
    await reportAll(scene, [reportedService, web]);
    expect(await scene.service()).toMatchObject({ removedAt: null });
    clock.advance(1000);
    await reportAll(scene, [web]);
    const removed = { status: "HEALTHY", removedAt: at(2000), updatedAt: at(2000) };
    expect(await scene.service()).toMatchObject(removed);
    const services = (await scene.agentNow()).services.map(({ code, removedAt }) => [
      code,
      removedAt,
    ]);
    expect(services).toEqual([
      ["log-collector", at(2000)],
      ["web", null],
    ]);
    // The removed service becomes STALE, but nothing more is written for it.
    clock.advance(121_000);
    await reportAll(scene, [web]);
    expect(await scene.service()).toMatchObject({ ...removed, status: "STALE" });
    const attention = await as("viewer").call("attention.get");
    expect(attention).toMatchObject({ services: { HEALTHY: 1, STALE: 0 }, open: { total: 0 } });
    const map = await as("viewer").call("overview.health-map");
    expect(map).toMatchObject({ total: 1, agents: [{ services: [{ code: "web" }] }] });
    const metrics = await text((await as("owner").download("metrics.prometheus")).chunks);
    expect(metrics).toContain('platform_service_status{service="web"');
    expect(metrics).not.toContain('service="log-collector"');
    await expectRefused(scene.execute(), "ACTION_NOT_FOUND");
    await reportAll(scene, [web, reportedService]);
    expect(await scene.service()).toMatchObject({ status: "HEALTHY", removedAt: null });
    expect((await scene.auditOf(serviceId)).slice(-3)).toEqual([
      "service.removed",
      "service.restored",
      "service.actions.changed",
    ]);
    expect((await scene.service()).actions).toHaveLength(1);
  });

  test("leaves services of other agents alone, and removed ones can be deleted at once", async ({
    reported: scene,
  }) => {
    const other = await scene.registerAgent("edge-2", [web]);
    await scene.report([reportedService], other);
    await reportAll(scene, []);
    const { data } = await scene.as("viewer").page("services.list", { query: { q: "web" } });
    expect(data).toMatchObject([{ removedAt: null }]);
    const params = { serviceId: scene.serviceId };
    await scene.as("operator").call("services.delete", { params });
    await expectRefused(scene.service(), "SERVICE_NOT_FOUND");
  });

  test("a move to another agent ends the removal", async ({ reported: scene }) => {
    const other = await scene.registerAgent("edge-2");
    await reportAll(scene, []);
    expect(await scene.move(other)).toMatchObject({ agentCode: "edge-2", removedAt: null });
  });
});
