// At each route, an event creates a command or stores the reason why it creates none.

import { test as base, expect, vi } from "vitest";
import { presentCaller } from "../../../src/core/caller.ts";
import { agentKey } from "../../../src/core/changes/doorbell.ts";
import { maxLiveMatches } from "../../../src/domain/limits.ts";
import { collector } from "../scene.ts";
import { openBus } from "./scene.ts";

const test = base.extend("bus", () => openTwo());

const strict = { properties: { file: { type: "string" } }, additionalProperties: false };
const actions = [
  { name: "rotate", timeoutSeconds: 60 },
  { name: "strict", inputSchema: strict },
  { name: "drop", dangerLevel: "HIGH" },
];

/** One agent publishes, and another has the target service. */
async function openTwo() {
  const bus = await openBus();
  const worker = await bus.registerAgent("edge-2", [{ ...collector, code: "worker", actions }]);
  const target = (action = "rotate") => ({ target: { serviceCode: "worker", action } });
  return { ...bus, worker, target };
}

/** The name of the routes that `openBus` creates. */
const routeName = "rotate what is full";

test("an enabled route makes a command for the target's agent", async ({ bus }) => {
  const routeId = await bus.route(bus.target());
  const polling = bus.poll({ wait: 20 }, bus.worker);
  const { id } = await bus.publish({ id: "1", data: { file: "a.log" } });
  const [commandId = ""] = await polling;
  const { event, routes } = await bus.event(id);
  expect(routes).toEqual([
    { routeId, routeName, outcome: "COMMAND_CREATED", commandId, commandStatus: "RUNNING" },
  ]);
  expect(await bus.get(commandId)).toMatchObject({
    type: "ACTION_EXECUTE",
    status: "RUNNING",
    agentId: bus.worker.agentId,
    serviceCode: "worker",
    action: "rotate",
    reason: null,
    source: { kind: "bus", eventId: id, routeId, name: "rotate what is full" },
    payload: { event },
    prepareCommandId: null,
    retryOf: null,
  });
  await bus.result(commandId, { success: true }, bus.worker);
  expect((await bus.get(commandId)).status).toBe("SUCCEEDED");
});

test("an event with a number that would be rounded creates no command from it", async ({ bus }) => {
  const payload = { order: "/data/order" };
  await bus.route({ ...bus.target(), payload });
  const { id } = await bus.publish({ data: { order: 2 ** 53 } });
  const { routes } = await bus.event(id);
  expect(routes).toMatchObject([{ outcome: "FAILED" }]);
  expect(routes[0]?.reason).toContain("the number at /order is too large");
  expect(await bus.countCommands()).toBe(0);
});

test("an event has a limited number of live matches", async ({ bus }) => {
  const made: string[] = [];
  for (let i = 0; i < maxLiveMatches + 2; i++) made.push(await bus.route(bus.target()));
  const { id } = await bus.publish();
  const { routes } = await bus.event(id);
  expect(routes.map(({ routeId }) => routeId).sort()).toEqual(made.sort());
  const failed = routes.filter(({ outcome }) => outcome === "FAILED");
  expect(failed.map(({ routeId }) => routeId)).toEqual(made.slice(maxLiveMatches));
  expect(failed.map(({ reason }) => reason)).toEqual(
    [1, 2].map(() => expect.stringContaining(`matches more than ${maxLiveMatches} routes`)),
  );
  expect(await bus.countCommands()).toBe(maxLiveMatches);
});

test("the publisher and the system each have an audit row", async ({ bus }) => {
  const routeId = await bus.route(bus.target());
  const { id } = await bus.publish();
  const commandId = (await bus.event(id)).routes[0]?.commandId;
  const own = { actorType: "SYSTEM", actorId: null, ip: null, requestId: "req_test" };
  const aim = { action: "rotate", serviceCode: "worker" };
  expect(await bus.trail({ pageSize: 3 })).toMatchObject([
    {
      ...own,
      action: "bus.route.matched",
      targetType: "bus_route",
      targetId: routeId,
      metadata: { ...aim, name: "rotate what is full", eventId: id, commandId },
    },
    {
      ...own,
      action: "command.created",
      targetId: commandId,
      metadata: { ...aim, eventId: id, routeId, agentId: bus.worker.agentId },
    },
    {
      action: "bus.event.received",
      actorType: "AGENT",
      actorName: "edge-1",
      // Only owners see addresses.
      ip: null,
      requestId: "req_test",
      targetType: "bus_event",
      targetId: id,
      metadata: { type: "log.full", source: collector.code, sourceEventId: id, depth: 0 },
    },
  ]);
});

test("DISABLED routes do not match, and DRY_RUN routes make no command", async ({ bus }) => {
  await bus.route({ ...bus.target(), state: "DISABLED" });
  const tried = await bus.route({ ...bus.target(), state: "DRY_RUN" });
  const { id } = await bus.publish();
  expect((await bus.event(id)).routes).toEqual([{ routeId: tried, routeName, outcome: "DRY_RUN" }]);
  expect(await bus.countCommands()).toBe(0);
  expect(await bus.auditOf(tried)).toEqual(["bus.route.created", "bus.route.dry_run"]);
});

test("a failure has its reason, in DRY_RUN as well", async ({ bus }) => {
  const failures: [rule: Parameters<typeof bus.route>[0], reason: RegExp][] = [
    [{ target: { serviceCode: "gone", action: "rotate" } }, /^There is no service gone\.$/],
    [bus.target("vanish"), /declares no action vanish\.$/],
    [bus.target("drop"), /requires confirmation by a person/],
    [bus.target("strict"), /^The payload does not match the action's schema/],
    [
      { ...bus.target(), payload: { file: "/data/file" } },
      /^No payload can be made: the event has no value at \/data\/file/,
    ],
  ];
  const expected: object[] = [];
  for (const [rule, reason] of failures) {
    for (const state of ["ENABLED", "DRY_RUN"] as const) {
      const routeId = await bus.route({ ...rule, state });
      const failed = { routeName, outcome: "FAILED", reason: expect.stringMatching(reason) };
      expected.push({ routeId, ...failed });
    }
  }
  const { id } = await bus.publish();
  const { routes } = await bus.event(id);
  expect(routes).toEqual(expected);
  expect(await bus.countCommands()).toBe(0);
  const [first] = routes;
  expect(await bus.trail({ targetId: first!.routeId, pageSize: 1 })).toMatchObject([
    {
      ...{ action: "bus.route.failed", result: "FAILURE", message: first!.reason! },
      metadata: { eventId: id },
    },
  ]);
});

test("an agent that has called again can be reached", async ({ bus }) => {
  await bus.route(bus.target());
  bus.clock.advance(90_001);
  await bus.as("operator").call("maintenance.run");
  const { id: failed } = await bus.publish();
  const reason = "The agent edge-2 has not called for a while.";
  expect((await bus.event(failed)).routes).toMatchObject([{ outcome: "FAILED", reason }]);
  await bus.beat({}, bus.worker);
  const { id } = await bus.publish();
  expect((await bus.event(id)).routes).toMatchObject([{ outcome: "COMMAND_CREATED" }]);
});

test("an event without a match needs one transaction", async ({ bus }) => {
  await bus.route({ ...bus.target(), match: { type: "other" } });
  const key = agentKey(bus.worker.agentId);
  const waiting = bus.app.core.doorbell.register(key, presentCaller);
  const write = vi.spyOn(bus.app.core.db, "batch");
  await bus.publish();
  expect(write).toHaveBeenCalledTimes(1);
  expect(await waiting.wait(0)).toBe("time");
  waiting.close();
});
