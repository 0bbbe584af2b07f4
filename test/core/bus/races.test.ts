// Events are published while their route, target or agents change. The order of the transactions
// decides the outcome of each event.

import { test as base, describe, expect } from "vitest";
import { sweep } from "../../../src/core/system/maintenance.ts";
import { onBothEngines } from "../../helpers/both-engines.ts";
import { expectRefused } from "../refusals.ts";
import { collector } from "../scene.ts";
import { type Bus, openBus } from "./scene.ts";

const test = base.extend("bus", () => openBus());

const dayMs = 24 * 3_600_000;
const worker = { ...collector, code: "worker" };
const toWorker = { target: { serviceCode: "worker", action: "rotate" } };

interface Occurrence {
  act(): Promise<unknown>;
  action: string;
  /** The outcome of an event before and after the change. */
  fates: [before: string, after: string];
}

/**
 * Publishes events before, during and after the change. An event's place in the audit trail decides
 * whether it must have the outcome from before or from after the change. Returns how many had each.
 */
async function publishAround(bus: Bus, { act, action, fates }: Occurrence) {
  const publish = () =>
    bus.publish().then(
      ({ id }) => id,
      (error: { code: string }) => error.code,
    );
  const first = await publish();
  const [one, two, , three, four] = await Promise.all([
    publish(),
    publish(),
    act(),
    publish(),
    publish(),
  ]);
  const ids = [first, one, two, three, four, await publish()];

  const data = await bus.trail({ pageSize: 200 });
  const happened = data.find((event) => event.action === action)?.seq ?? 0;
  const counts: [before: number, after: number] = [0, 0];
  for (const id of ids) {
    const received = data.find((e) => e.targetId === id && e.action === "bus.event.received");
    // Refused events have no audit row, so they came after the change.
    const isAfter = received === undefined || received.seq > happened;
    const outcomes = received ? (await bus.event(id)).routes.map(({ outcome }) => outcome) : [id];
    expect([id, outcomes.join() || "no route"]).toEqual([id, fates[isAfter ? 1 : 0]]);
    counts[isAfter ? 1 : 0]++;
  }
  const [before, after] = counts;
  expect(before).toBeGreaterThan(0);
  expect(after).toBeGreaterThan(0);
  const makers = [before, after].filter((_, at) => fates[at] === made);
  expect(await bus.countCommands()).toBe(makers.reduce((sum, count) => sum + count, 0));
  return { before, after };
}

const made = "COMMAND_CREATED";

describe("while events arrive", () => {
  onBothEngines(() => {
    test("after a route is deleted, its earlier commands still name it", async ({ bus }) => {
      const routeId = await bus.route();
      const operator = bus.as("operator");
      const { before } = await publishAround(bus, {
        act: () => operator.call("bus-routes.delete", { params: { routeId } }),
        action: "bus.route.deleted",
        fates: [made, "no route"],
      });
      const { data } = await operator.page("commands.list");
      expect(data.every(({ source }) => source?.routeId === routeId)).toBe(true);
      const found = await operator.page("bus-events.list", { query: { routeId } });
      expect(found.pagination.total).toBe(before);
    });
  });

  test("after a route is renamed, earlier commands keep the old name", async ({ bus }) => {
    const routeId = await bus.route({ name: "old" });
    const operator = bus.as("operator");
    const { version, ...rule } = await operator.call("bus-routes.get", { params: { routeId } });
    const body = { ...rule, name: "new", version };
    const { before, after } = await publishAround(bus, {
      act: () => operator.call("bus-routes.update", { params: { routeId }, body }),
      action: "bus.route.updated",
      fates: [made, made],
    });
    const { data } = await operator.page("commands.list");
    const named = (name: string) => data.filter(({ source }) => source?.name === name).length;
    expect([named("old"), named("new")]).toEqual([before, after]);
  });

  test("when the target moves, events fail until its new agent has reported it", async ({
    bus,
  }) => {
    const first = await bus.registerAgent("edge-2", [worker]);
    const second = await bus.registerAgent("edge-3");
    await bus.route(toWorker);
    const { before, after } = await publishAround(bus, {
      act: () => bus.move(second, worker.code),
      action: "service.moved",
      fates: [made, "FAILED"],
    });
    expect(after).toBeGreaterThan(0);
    expect(await bus.poll({ wait: 0 }, first)).toHaveLength(before);
    expect(await bus.poll({ wait: 0 }, second)).toEqual([]);
  });

  test.for([
    { call: "agents.disable", of: "target", fate: "FAILED" },
    { call: "agents.revoke-token", of: "publisher", fate: "UNAUTHORIZED" },
  ] as const)("after $call on the $of, later events end with $fate", async (row, { bus }) => {
    const target = await bus.registerAgent("edge-2", [worker]);
    await bus.route(toWorker);
    const { agentId } = row.of === "target" ? target : bus.agent;
    await publishAround(bus, {
      act: () => bus.as("operator").call(row.call, { params: { agentId } }),
      action: row.call === "agents.disable" ? "agent.disabled" : "agent.token.revoked",
      fates: [made, row.fate],
    });
  });

  test("after the source moves, later events come from its new agent", async ({ bus }) => {
    const heir = await bus.registerAgent("edge-2");
    const { id } = await bus.publish({ id: "1" });
    const code = "CAPSULE_SOURCE_FORBIDDEN";
    await publishAround(bus, {
      act: () => bus.move(heir),
      action: "service.moved",
      fates: ["no route", code],
    });
    await expectRefused(bus.publish({ id: "1" }), code);
    expect(await bus.publish({ id: "1" }, heir)).toMatchObject({ id, duplicate: true });
    expect((await bus.event(id)).agentId).toBe(bus.agent.agentId);
  });
});

onBothEngines(() => {
  test("an event that is repeated during its deletion is a duplicate or a new event", async () => {
    const bus = await openBus({ BUS_EVENT_RETENTION_DAYS: "1" });
    await bus.route();
    const old = await bus.publish({ id: "1" });
    bus.clock.advance(dayMs + 1000);
    await bus.beat();
    const again = Array.from({ length: 3 }, () => bus.publish({ id: "1" }));
    const pruning = sweep(bus.app.core);
    const answers = await Promise.all(again);
    expect((await pruning).busEventsPruned).toBe(1);
    answers.push(await bus.publish({ id: "1" }));
    const fresh = answers.filter(({ id }) => id !== old.id);
    expect(fresh.filter(({ duplicate }) => !duplicate)).toHaveLength(1);
    expect(answers.filter(({ id }) => id === old.id).every(({ duplicate }) => duplicate)).toBe(
      true,
    );
    expect(await bus.countCommands()).toBe(2);
    expect((await bus.as("viewer").page("bus-events.list")).pagination.total).toBe(1);
  });
});

test("the source must match the code exactly", async ({ bus }) => {
  for (const source of ["Log-Collector", "LOG-COLLECTOR", "log_collector", "log-collecto"]) {
    await expectRefused(bus.publish({ source }), "BUS_SOURCE_NOT_FOUND");
  }
});

test("a clock jump changes nothing", async ({ bus }) => {
  const other = await bus.registerAgent("edge-2", [worker]);
  await bus.route(toWorker);
  const first = await bus.publish({ id: "1" });
  bus.clock.jump(-3_600_000);
  expect(await bus.publish({ id: "1" })).toMatchObject({ id: first.id, duplicate: true });
  const { id, depth } = await bus.publish({ id: "2", causationid: "1" });
  expect(depth).toBe(1);
  const { routes } = await bus.event(id);
  expect(routes).toMatchObject([{ outcome: made }]);
  expect(await bus.poll({ wait: 0 }, other)).toContain(routes[0]?.commandId);
});
