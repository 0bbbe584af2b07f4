import { test as base, describe, expect } from "vitest";
import type { BodyInput } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { expectInvalid, expectRefused } from "../refusals.ts";
import { collector, openScene, type Scene } from "../scene.ts";

const test = base.extend("scene", () => openBus());

type Rule = BodyInput<Routes["bus-routes.create"]>;

const rule = {
  name: "rotate",
  match: { type: "log.full" },
  target: { serviceCode: collector.code, action: "rotate" },
} satisfies Rule;

const event = { type: "log.full", source: collector.code, data: { file: "app.log", mb: 12 } };

const openBus = () => openScene({ CAPSULE_BUS_ENABLED: "true" });

const create = ({ as }: Scene, body: Rule = rule) =>
  as("operator").call("bus-routes.create", { body });

const whole = {
  ...rule,
  description: "when a log is full",
  state: "ENABLED" as const,
  match: { type: "log.*", source: collector.code, data: { "/mb": 12, "/at": { x: null } } },
  payload: { file: "/data/file", keep: { const: [1, null] } },
};

describe("a route", () => {
  test("starts DISABLED in version 1, with only the fields of the request", async ({ scene }) => {
    const { warnings, ...route } = await create(scene);
    expect(warnings).toEqual([]);
    expect(route).toEqual({
      ...rule,
      id: expect.stringMatching(/^brt_/),
      state: "DISABLED",
      declaredIn: null,
      version: 1,
      withheld: [],
      createdAt: "2026-01-02T03:04:05.678Z",
      updatedAt: "2026-01-02T03:04:05.678Z",
    });
    const params = { routeId: route.id };
    expect(await scene.as("viewer").call("bus-routes.get", { params })).toEqual(route);
  });

  test("keeps all fields, and accepts a response as the request", async ({ scene }) => {
    const { warnings, ...route } = await create(scene, whole);
    expect(warnings).toEqual([]);
    expect(route).toMatchObject(whole);
    const params = { routeId: route.id };
    const body = await scene.as("viewer").call("bus-routes.get", { params });
    const again = await scene.as("operator").call("bus-routes.update", { params, body });
    expect(again).toEqual({ ...route, warnings: [] });
  });

  test("is found by its state and by a part of its name", async ({ scene }) => {
    await create(scene);
    await create(scene, { ...rule, name: "Rotate at night", state: "DRY_RUN" });
    await create(scene, { ...rule, name: "100%", state: "ENABLED" });
    const named = async (query: object) => {
      const { data, pagination } = await scene.as("viewer").page("bus-routes.list", { query });
      expect(pagination.total).toBe(data.length);
      return data.map(({ name }) => name);
    };
    expect(await named({})).toEqual(["100%", "Rotate at night", "rotate"]);
    expect(await named({ state: "DRY_RUN" })).toEqual(["Rotate at night"]);
    expect(await named({ q: "rotate" })).toEqual(["Rotate at night", "rotate"]);
    expect(await named({ q: "%", state: "ENABLED" })).toEqual(["100%"]);
    expect(await named({ q: "%", state: "DISABLED" })).toEqual([]);
  });
});

describe("a route is refused", () => {
  const shared = perFile(() => openBus());

  test.for<[string, object, string]>([
    ["without a name", { name: " " }, "name"],
    ["with a name of two lines", { name: "rotate\nCOMMAND_CREATED" }, "name"],
    ["with an invalid type", { match: { type: "*" } }, "match.type"],
    ["with an invalid source", { match: { type: "a", source: "a b" } }, "match.source"],
    ["with data without a pointer", { match: { type: "a", data: { x: 1 } } }, "match.data"],
    ["with an invalid action", { target: { serviceCode: "x", action: "" } }, "target.action"],
    ["with a payload without a pointer", { payload: { a: "x" } }, "payload.a"],
    ["with a nested payload", { payload: { a: { b: "/data" } } }, "payload.a"],
  ])("%s", async ([_what, change, path]) => {
    const scene = shared();
    const wrote = scene.watchWrites();
    await expectInvalid(create(scene, { ...rule, ...change } as never), path);
    expect(wrote()).toBe(false);
  });

  test("if it is one byte, pointer or character above a limit", async ({ scene }) => {
    const many = (count: number, of: (at: number) => [string, unknown]) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => of(at)));
    const sized = (bytes: number) => {
      // The size includes everything that is stored, also the state. An é has two bytes.
      const body = { ...rule, state: "DISABLED" as const, payload: { text: { const: "é" } } };
      const rest = bytes - Buffer.byteLength(JSON.stringify(body));
      return { payload: { text: { const: `é${"x".repeat(rest)}` } } };
    };
    const limits: [of: (count: number) => object, count: number][] = [
      [sized, 16 * 1024],
      [(n) => ({ match: { type: "a", data: many(n, (at) => [`/${at}`, at]) } }), 32],
      [(n) => ({ payload: many(n, (at) => [`f${at}`, "/data"]) }), 100],
      [(n) => ({ payload: { f: `/${"x".repeat(n - 1)}` } }), 500],
      [(n) => ({ payload: { ["x".repeat(n)]: "/id" } }), 200],
      [(n) => ({ name: "x".repeat(n) }), 200],
      [(n) => ({ match: { type: "x".repeat(n) } }), 200],
    ];
    for (const [of, count] of limits) {
      const made = await create(scene, { ...rule, ...of(count) } as Rule);
      expect(made).toMatchObject(of(count));
      const refused = create(scene, { ...rule, ...of(count + 1) } as Rule);
      await expectRefused(refused, "VALIDATION_FAILED");
    }
  });
});

describe("a change", () => {
  test("replaces the route and removes absent fields", async ({ scene }) => {
    const { id, createdAt } = await create(scene, whole);
    scene.clock.advance(1000);
    const params = { routeId: id };
    const body = { ...rule, version: 1 };
    const { warnings: _, ...changed } = await scene
      .as("operator")
      .call("bus-routes.update", { params, body });
    expect(changed).toEqual({
      ...rule,
      id,
      state: "DISABLED",
      declaredIn: null,
      version: 2,
      withheld: [],
      createdAt,
      updatedAt: "2026-01-02T03:04:06.678Z",
    });
    expect(await scene.as("viewer").call("bus-routes.get", { params })).toEqual(changed);
  });

  test("leaves no audit row if nothing changes", async ({ scene }) => {
    const { id } = await create(scene, whole);
    const wrote = scene.watchWrites();
    const { match, ...rest } = whole;
    const data = { "/at": { x: null }, "/mb": 12 };
    const body = { match: { data, source: match.source, type: match.type }, ...rest, version: 1 };
    const same = await scene
      .as("operator")
      .call("bus-routes.update", { params: { routeId: id }, body });
    expect(same.version).toBe(1);
    expect(wrote()).toBe(false);
  });

  test("of another version is a conflict that names the current version", async ({ scene }) => {
    const { id } = await create(scene);
    const params = { routeId: id };
    const update = (version: number, name: string) =>
      scene.as("operator").call("bus-routes.update", { params, body: { ...rule, name, version } });
    for (const wrong of [2, 99]) {
      await expectRefused(update(wrong, "x"), "VERSION_CONFLICT", {
        currentVersion: 1,
        version: wrong,
      });
    }
    // Only one of several changes to the same version succeeds.
    const outcomes = await Promise.allSettled([update(1, "a"), update(1, "b"), update(1, "c")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    const { name, version } = await scene.as("viewer").call("bus-routes.get", { params });
    expect({ name, version }).toEqual({ name: "a", version: 2 });
    await expect(update(1, "d")).rejects.toMatchObject({ details: { currentVersion: 2 } });
  });

  test("is audited with old and new values", async ({ scene }) => {
    const { id } = await create(scene);
    const params = { routeId: id };
    const operator = scene.as("operator");
    const body = { ...rule, state: "ENABLED" as const, payload: {}, version: 1 };
    await operator.call("bus-routes.update", { params, body });
    await operator.call("bus-routes.delete", { params });
    const rows = await scene.trail({ targetId: id });
    expect(
      rows.map(({ action, targetType, metadata }) => ({ action, targetType, metadata })),
    ).toEqual([
      {
        action: "bus.route.deleted",
        targetType: "bus_route",
        metadata: { ...rule, state: "ENABLED", payload: {}, version: 2 },
      },
      {
        action: "bus.route.updated",
        targetType: "bus_route",
        metadata: {
          name: "rotate",
          version: 2,
          changes: { state: { from: "DISABLED", to: "ENABLED" }, payload: { from: null, to: {} } },
        },
      },
      {
        action: "bus.route.created",
        targetType: "bus_route",
        metadata: { ...rule, state: "DISABLED" },
      },
    ]);
    await expectRefused(operator.call("bus-routes.get", { params }), "BUS_ROUTE_NOT_FOUND");
  });
});

const strict = {
  type: "object",
  properties: { file: { type: "string" }, mb: { type: "integer" } },
  required: ["file"],
  additionalProperties: false,
};

const picky = {
  ...collector,
  actions: [...collector.actions, { name: "strict", inputSchema: strict, timeoutSeconds: 7 }],
};

const strictTarget = { serviceCode: collector.code, action: "strict" };

describe("warnings of a route", () => {
  test.for<[string, object, RegExp[]]>([
    ["an unknown service", { target: { serviceCode: "x", action: "y" } }, [/no service x\./]],
    [
      "a payload that never matches",
      { target: strictTarget },
      [/requires file, which/, /does not accept event, which/],
    ],
    ["a payload that may match", { target: strictTarget, payload: { file: "/data/file" } }, []],
  ])("are as expected for %s", async ([_what, change, says], { scene }) => {
    await scene.report([picky]);
    const expected = says.map((text) => expect.stringMatching(text));
    const { id, warnings } = await create(scene, { ...rule, ...change } as Rule);
    expect(warnings).toEqual(expected);
    const body = { ...rule, ...change, name: "again", version: 1 } as never;
    const again = await scene
      .as("operator")
      .call("bus-routes.update", { params: { routeId: id }, body });
    expect(again.warnings).toEqual(expected);
  });

  test("concern an agent that is offline", async ({ scene }) => {
    await scene.change("disable");
    expect((await create(scene)).warnings).toEqual([
      "At the moment every matching event would fail: The agent edge-1 is disabled.",
    ]);
  });

  test("do not concern an agent whose last call is not stored yet", async ({ scene }) => {
    const { id, warnings } = await create(scene);
    expect(warnings).toEqual([]);
    const body = { ...rule, name: "other", version: 1 };
    const saves = [
      () => create(scene, { ...rule, name: "new" }),
      () => scene.as("operator").call("bus-routes.update", { params: { routeId: id }, body }),
    ];
    for (const save of saves) {
      scene.clock.advance(90_001);
      await scene.beat();
      expect((await save()).warnings).toEqual([]);
    }
  });

  test("concern another route with the same name", async ({ scene }) => {
    const { id } = await create(scene);
    const warning = `Another route has this name (${id}): in commands, use the routes' ids.`;
    expect((await create(scene)).warnings).toEqual([warning]);
    // If several routes have the name, the warning names the oldest.
    expect((await create(scene)).warnings).toEqual([warning]);
  });

  test("concern a route with the same effect, whatever its name", async ({ scene }) => {
    await create(scene, { ...rule, name: "disabled" });
    const enabled = { ...rule, state: "ENABLED" as const };
    const { id } = await create(scene, { ...enabled, name: "first" });
    const says =
      `Route ${id} has the same conditions and target, and both are ENABLED: ` +
      "each matching event creates two commands.";
    expect((await create(scene, { ...enabled, name: "second" })).warnings).toEqual([says]);
    const match = { ...enabled.match, data: { "/mb": 12 } };
    expect((await create(scene, { ...enabled, name: "other", match })).warnings).toEqual([]);
  });
});

describe("a test", () => {
  const tried = (scene: Scene, change: object, body: object = { event }) =>
    scene
      .as("viewer")
      .call("bus-routes.test-draft", { body: { route: { ...rule, ...change }, ...body } as never });

  test("shows conditions and command of a saved or draft route", async ({ scene }) => {
    const { id } = await create(scene, whole);
    const params = { routeId: id };
    const body = { event: { ...event, id: "e-1", data: { ...event.data, at: { x: null } } } };
    const wrote = scene.watchWrites();
    const tested = await scene.as("viewer").call("bus-routes.test", { params, body });
    expect(tested).toEqual({
      matched: true,
      clauses: [
        { clause: "type", expected: "log.*", actual: "log.full", matched: true },
        { clause: "source", expected: collector.code, actual: collector.code, matched: true },
        { clause: "data", pointer: "/mb", expected: 12, actual: 12, matched: true },
        {
          clause: "data",
          pointer: "/at",
          expected: { x: null },
          actual: { x: null },
          matched: true,
        },
      ],
      outcome: "COMMAND_CREATED",
      reason: null,
      command: {
        type: "ACTION_EXECUTE",
        agentCode: "edge-1",
        agentId: scene.agent.agentId,
        serviceId: scene.serviceId,
        serviceCode: collector.code,
        action: "rotate",
        payload: { file: "app.log", keep: [1, null] },
        timeoutSeconds: 60,
      },
      event: { ...body.event, specversion: "1.0", time: "2026-01-02T03:04:05.678Z" },
    });
    expect(await tried(scene, whole, body)).toEqual(tested);
    expect(wrote()).toBe(false);
    expect(await scene.poll()).toEqual([]);
  });

  test("shows why the command would fail, whatever the route's state is", async ({ scene }) => {
    await scene.report([picky]);
    for (const state of ["DISABLED", "DRY_RUN", "ENABLED"]) {
      const change = { target: strictTarget, payload: { file: "/data/mb" }, state };
      const tested = await tried(scene, change);
      expect(tested).toMatchObject({ matched: true, outcome: "FAILED", command: null });
      expect(tested.reason).toMatch(/file: /);
    }
  });

  test("shows whether the agent is offline at this moment", async ({ scene }) => {
    scene.clock.advance(90_001);
    expect((await tried(scene, {})).reason).toBe("The agent edge-1 has not called for a while.");
    await scene.beat();
    expect(await tried(scene, {})).toMatchObject({ outcome: "COMMAND_CREATED" });
    await scene.change("revoke-token");
    expect((await tried(scene, {})).reason).toBe("The token of the agent edge-1 was revoked.");
  });

  test("redacts the event and gives it an id", async ({ scene }) => {
    const data = { password: "hunter2" };
    const tested = await tried(
      scene,
      { match: { type: "log.full", data: { "/password": "hunter2" } } },
      { event: { ...event, data } },
    );
    expect(tested.matched).toBe(false);
    expect(tested.event).toMatchObject({
      id: expect.stringMatching(/^bev_/),
      data: { password: "[REDACTED]" },
    });
    expect(JSON.stringify(tested.event)).not.toContain("hunter2");
  });

  test("accepts the id of a stored event", async ({ scene }) => {
    const envelope = { ...event, specversion: "1.0", id: "e-1", time: "2026-01-02T03:04:05.678Z" };
    await scene.database.write((tx) =>
      tx.run(
        `INSERT INTO bus_events (id, agent_id, source, event_id, type, depth, envelope, received_at)
         VALUES ('bev_1', ?, 'x', 'e-1', 'log.full', 0, ?, 0)`,
        scene.agent.agentId,
        JSON.stringify(envelope),
      ),
    );
    const tested = await tried(scene, {}, { eventId: "bev_1" });
    expect(tested).toMatchObject({ outcome: "COMMAND_CREATED", event: envelope });
    await expectRefused(tried(scene, {}, { eventId: "bev_2" }), "BUS_EVENT_NOT_FOUND");
  });

  test("refuses what is not one valid event and route", async ({ scene }) => {
    for (const [body, path] of [
      [{}, "event"],
      [{ event, eventId: "bev_1" }, "event"],
      [{ event: { ...event, type: "a b" } }, "event.type"],
      [{ event, route: { ...rule, match: { type: "*" } } }, "route.match.type"],
    ] as const) {
      await expectInvalid(tried(scene, {}, body), path);
    }
  });
});

test("responses are labelled as experimental", async ({ scene: { app } }) => {
  const door = app.localDoor({ kind: "local", osUser: "ada" });
  const { body } = await door({ route: "bus-routes.list", params: {}, query: {}, body: {} });
  expect(body).toMatchObject({ success: true, experimental: "v0.4-experimental" });
});
