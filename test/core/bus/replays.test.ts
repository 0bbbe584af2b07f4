// Replays show what a route would have done with stored events, and what really happened.

import { setImmediate as nextTurn } from "node:timers/promises";
import { test as base, describe, expect } from "vitest";
import type { BodyInput, ReplyData } from "../../../src/api/contract/route.ts";
import type { Routes } from "../../../src/api/index.ts";
import { addSummary, emptySummary } from "../../../src/domain/bus/replays.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { interceptReads } from "../intercepted-reads.ts";
import { expectInvalid, expectRefused } from "../refusals.ts";
import { collector } from "../scene.ts";
import { type Bus, openBus as openTimedBus } from "./scene.ts";
import { type Given, storeEvents } from "./stored-events.ts";

const test = base.extend("bus", () => openBus()).extend("timedBus", () => openTimedBus());

type Asked = BodyInput<Routes["bus-routes.replay"]>;
type Page = ReplyData<Routes["bus-routes.replay"]>;

const start = "2026-01-02T03:04:05.678Z";
const long = "1970-01-01T00:00:00Z";

const rule = {
  name: "rotate what is full",
  match: { type: "log.full" },
  target: { serviceCode: collector.code, action: "rotate" },
};

const strict = { type: "object", properties: { level: { type: "string" } }, required: ["level"] };

const picky = {
  ...collector,
  actions: [
    ...collector.actions,
    { name: "purge", dangerLevel: "HIGH" },
    { name: "strict", inputSchema: strict },
  ],
};

const aimedAt = (action: string) => ({ target: { serviceCode: collector.code, action } });

/** Opens a bus whose replay pages never run out of time, even on a slow machine. */
async function openBus(env: Record<string, string> = {}): Promise<Bus> {
  const bus = await openTimedBus(env);
  bus.app.core.monotonic = () => 0;
  return bus;
}

const replay = (bus: Bus, asked: Partial<Asked>): Promise<Page> =>
  bus.as("viewer").call("bus-routes.replay", { body: { from: long, ...asked } });

async function replayAll(bus: Bus, asked: Partial<Asked>) {
  const events: Page["events"] = [];
  const summary = emptySummary(asked.routeId !== undefined);
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await replay(bus, { ...asked, ...(cursor === undefined ? {} : { cursor }) });
    events.push(...page.events);
    addSummary(summary, page.summary);
    cursor = page.nextCursor ?? undefined;
    pages++;
  } while (cursor !== undefined);
  return { events, summary, pages };
}

const idsOf = ({ events }: Pick<Page, "events">) => events.map(({ eventId }) => eventId);

describe("an event in the window", () => {
  test.for<[string, object, object]>([
    ["type does not match", { match: { type: "log" } }, { matched: false, outcome: null }],
    [
      "data does not match",
      { match: { type: "log.full", data: { "/level": "x" } } },
      { matched: false, outcome: null },
    ],
    [
      "a command",
      { match: { type: "log.*", source: collector.code }, payload: { to: "/data/level" } },
      { matched: true, outcome: "COMMAND_CREATED", payload: { to: "warn" } },
    ],
    [
      "a command of a disabled route",
      { state: "DISABLED", payload: {} },
      { matched: true, outcome: "COMMAND_CREATED", payload: {} },
    ],
    ["a dry run", { state: "DRY_RUN", payload: {} }, { outcome: "DRY_RUN", payload: {} }],
    [
      "an invalid payload",
      { ...aimedAt("strict"), payload: { level: { const: 7 } } },
      {
        outcome: "FAILED",
        reason: expect.stringContaining("does not match the action's schema: level:"),
      },
    ],
  ])("has the expected outcome: %s", async ([_what, change, expected], { bus }) => {
    await bus.report([picky]);
    const [eventId] = await storeEvents(bus, [{ data: { level: "warn" } }]);
    const wrote = bus.watchWrites();
    const route = { ...rule, state: "ENABLED", ...change } as Asked["route"];
    const page = await replay(bus, { route });
    expect(page.events).toEqual([
      {
        eventId,
        type: "log.full",
        source: collector.code,
        receivedAt: start,
        matched: true,
        reason: null,
        payload: null,
        recorded: null,
        ...expected,
      },
    ]);
    expect(page).toMatchObject({ oldestEventAt: start, nextCursor: null });
    expect(page.summary.recorded).toBeNull();
    expect(wrote()).toBe(false);
  });

  test("the replay of a saved route shows the recorded outcomes as well", async ({ bus }) => {
    const routeId = await bus.route({ payload: { to: "/data/to" } });
    await bus.publish({ data: { to: "x" } });
    await bus.publish({ data: {} });
    await bus.publish({ type: "log.low" });
    const operator = bus.as("operator");
    const [{ id: commandId } = { id: "" }] = await operator.call("commands.list");
    const body = { ...rule, match: { type: "log.low" }, version: 1 };
    await operator.call("bus-routes.update", { params: { routeId }, body });
    const wrote = bus.watchWrites();
    const page = await replay(bus, { routeId });
    expect(page.events).toMatchObject([
      { matched: false, recorded: { outcome: "COMMAND_CREATED", commandId } },
      { matched: false, recorded: { outcome: "FAILED", reason: expect.stringContaining("/to") } },
      { matched: true, outcome: "COMMAND_CREATED", recorded: null },
    ]);
    expect(page.summary).toEqual({
      events: 3,
      matched: 1,
      commands: 1,
      dryRuns: 0,
      failed: 0,
      reasons: [],
      recorded: { commands: 1, dryRuns: 0, failed: 1 },
    });
    expect(wrote()).toBe(false);
    expect(await bus.countCommands()).toBe(1);
    const draft = await replay(bus, { route: rule });
    expect(draft.events.map(({ recorded }) => recorded)).toEqual([null, null, null]);
  });

  test("a replayed command fails if the agent is offline now", async ({ bus }) => {
    const routeId = await bus.route();
    await bus.publish();
    bus.clock.advance(90_001);
    const { events, summary } = await replay(bus, { routeId });
    const reason = "The agent edge-1 has not called for a while.";
    expect(events).toMatchObject([
      { outcome: "FAILED", reason, recorded: { outcome: "COMMAND_CREATED" } },
    ]);
    expect(summary).toMatchObject({ failed: 1, reasons: [{ reason, count: 1 }] });
    await bus.beat();
    expect((await replay(bus, { routeId })).summary).toMatchObject({ commands: 1, failed: 0 });
  });
});

describe("the window", () => {
  const minute = (count: number) => Date.parse(start) + count * 60_000;
  const at = (count: number) => new Date(minute(count)).toISOString();

  async function openWindow() {
    const bus = await openBus();
    const times = [3, 1, 2, 1];
    const ids = await storeEvents(
      bus,
      times.map((count) => ({ receivedAt: minute(count) })),
    );
    bus.clock.advance(4 * 60_000);
    const [third, first, second, firstToo] = ids;
    return { bus, order: [first, firstToo, second, third] };
  }

  test("has the events in order of arrival, and excludes its end", async () => {
    const { bus, order } = await openWindow();
    const found = async (from: string, to?: string) =>
      idsOf(await replay(bus, { route: rule, from, ...(to === undefined ? {} : { to }) }));
    expect(await found(at(0))).toEqual(order);
    expect(await found(at(1), at(3))).toEqual(order.slice(0, 3));
    expect(await found(at(2))).toEqual(order.slice(2));
    expect(await found(at(3), at(9))).toEqual(order.slice(3));
    expect(await found(at(5), at(9))).toEqual([]);
  });

  test("has pages, and ends at the time of the first call", async () => {
    const { bus, order } = await openWindow();
    const first = await replay(bus, { route: rule, limit: 3 });
    expect(idsOf(first)).toEqual(order.slice(0, 3));
    expect(first.summary).toMatchObject({ events: 3, matched: 3 });
    bus.clock.advance(60_000);
    await storeEvents(bus, [{}]);
    const cursor = first.nextCursor ?? "";
    const rest = await replay(bus, { route: rule, limit: 3, cursor });
    expect(idsOf(rest)).toEqual(order.slice(3));
    expect(rest.nextCursor).toBeNull();
    // The result is the same if an event of the page was deleted in between.
    await bus.database.write((tx) => tx.run("DELETE FROM bus_events WHERE id = ?", order[2] ?? ""));
    expect(idsOf(await replay(bus, { route: rule, limit: 3, cursor }))).toEqual(order.slice(3));
  });

  test("includes events that were stored before the clock was set back", async () => {
    const { bus, order } = await openWindow();
    bus.clock.jump(-3_600_000);
    const first = await replay(bus, { route: rule, limit: 3 });
    const cursor = first.nextCursor ?? "";
    // This event comes after everything that existed at the first call.
    await storeEvents(bus, [{ receivedAt: minute(4) }]);
    const rest = await replay(bus, { route: rule, cursor });
    expect([...idsOf(first), ...idsOf(rest)]).toEqual(order);
    expect(idsOf(await replay(bus, { route: rule, to: at(3) }))).toEqual(order.slice(0, 3));
  });

  test("can return only the matching events, and counts all events", async ({ bus }) => {
    await storeEvents(
      bus,
      ["log.full", "x", "log.full", "x", "x"].map((type) => ({ type })),
    );
    const { events, summary, pages } = await replayAll(bus, {
      route: rule,
      onlyMatched: true,
      limit: 2,
    });
    expect(events.map(({ type }) => type)).toEqual(["log.full", "log.full"]);
    expect({ pages, summary }).toMatchObject({ pages: 3, summary: { events: 5, matched: 2 } });
  });

  test("shows the oldest event's time if it is empty", async ({ bus }) => {
    const nothing = { events: [], nextCursor: null, summary: emptySummary(false) };
    expect(await replay(bus, { route: rule })).toEqual({ ...nothing, oldestEventAt: null });
    await storeEvents(bus, [{}]);
    const to = "2026-01-01T00:00:00Z";
    expect(await replay(bus, { route: rule, to })).toEqual({ ...nothing, oldestEventAt: start });
  });
});

describe("a replay is refused", () => {
  const shared = perFile(() => openBus());

  test.for<[string, object, string]>([
    ["without a route", { route: undefined }, "route"],
    ["with two", { routeId: "brt_1" }, "route"],
    ["with an invalid route", { route: { ...rule, match: { type: "*" } } }, "route.match.type"],
    ["with its end at its start", { from: start, to: start }, "to"],
    ["with a cursor of another list", { cursor: "bev_1" }, "cursor"],
    ["with an invalid cursor", { cursor: "1.2.brt_01" }, "cursor"],
  ])("%s", async ([_what, change, path]) => {
    await expectInvalid(replay(shared(), { route: rule, ...change } as never), path);
  });

  test("if the route does not exist", async () => {
    await expectRefused(replay(shared(), { routeId: "brt_none" }), "BUS_ROUTE_NOT_FOUND");
  });
});

describe("with many events", () => {
  test("reads more events than one statement returns", async ({ bus }) => {
    const events = Array.from({ length: 250 }, (_, at) => (at % 10 ? { type: "log.low" } : {}));
    await storeEvents(bus, events);
    const { summary, nextCursor } = await replay(bus, { route: rule, limit: 400 });
    expect(summary).toMatchObject({ events: 250, matched: 25, commands: 25 });
    expect(nextCursor).toBeNull();
  });

  test("reads an event's content only if its type and source match", async ({ bus }) => {
    const types = ["log.full", "log.low", "log.full", "log.low"];
    const [gone] = await storeEvents(
      bus,
      types.map((type) => ({ type })),
    );
    const looked: unknown[] = [];
    interceptReads(bus, ({ get }) => ({
      async get(sql, ...params) {
        if (!sql.includes("FROM bus_events e WHERE e.id")) return get(sql, ...params);
        looked.push(params[0]);
        return params[0] === gone ? undefined : get(sql, ...params);
      },
    }));
    const { events, summary } = await replay(bus, { route: rule });
    expect(looked).toHaveLength(2);
    expect(events.map(({ type }) => type)).toEqual(types.slice(1));
    expect(summary).toMatchObject({ events: 3, matched: 1 });
  });

  test("a slow page ends early and yields in between", async ({ timedBus: bus }) => {
    await storeEvents(bus, Array<Given>(50).fill({}));
    let time = 0;
    bus.app.core.monotonic = () => (time += 6);
    let turns = 0;
    let isOver = false;
    const watching = (async () => {
      for (; !isOver; turns++) await nextTurn();
    })();
    const first = await replay(bus, { route: rule });
    isOver = true;
    await watching;
    expect(first.summary.events).toBeGreaterThan(1);
    expect(first.summary.events).toBeLessThan(50);
    expect(turns).toBeGreaterThanOrEqual(first.summary.events / 2);
    expect(first.nextCursor).not.toBeNull();
    expect((await replayAll(bus, { route: rule })).summary.events).toBe(50);
  });

  test("a page advances even if its time is up immediately", async ({ timedBus: bus }) => {
    const [first, gone, last] = await storeEvents(bus, [{}, {}, {}]);
    let time = 0;
    bus.app.core.monotonic = () => time;
    interceptReads(bus, ({ get }) => ({
      async get(sql, ...params) {
        time += 1000; // every read takes a second
        return params[0] === gone ? undefined : get(sql, ...params);
      },
    }));
    const pages: string[][] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await replay(bus, { route: rule, ...(cursor ? { cursor } : {}) });
      pages.push(idsOf(page));
      cursor = page.nextCursor;
      expect(pages.length).toBeLessThan(9);
    }
    expect(pages).toEqual([[first], [], [last]]);
  });

  test("a large page ends early", async ({ bus }) => {
    const data = "x".repeat(250_000);
    await storeEvents(bus, Array<Given>(12).fill({ data }));
    const page = await replay(bus, { route: rule });
    expect(page.events.length).toBeLessThanOrEqual(5);
    const { summary, pages } = await replayAll(bus, { route: rule });
    expect({ pages, events: summary.events }).toEqual({ pages: 3, events: 12 });
    // Omitted events do not count toward the size of the response.
    const none = { ...rule, match: { type: "log.full", data: { "": 1 } } };
    expect((await replay(bus, { route: none })).summary.events).toBe(12);
  });
});

test("the replay of an unchanged route has the recorded outcomes", async ({ bus }) => {
  await bus.report([picky]);
  const match = { type: "log.*" };
  const rules = [
    { match, payload: { level: "/data/level" } },
    { state: "DRY_RUN" as const },
    { match, ...aimedAt("strict"), payload: { level: "/data/level" } },
    { match, ...aimedAt("purge") },
    { match: { type: "order.*" } },
    { state: "DISABLED" as const },
  ];
  const routeIds: string[] = [];
  for (const each of rules) routeIds.push(await bus.route(each));
  await bus.publish({ data: { level: "warn" } });
  await bus.publish({ data: { level: 7 } });
  await bus.publish({ type: "log.low" });
  const seen = new Set<string | null>();
  for (const [at, routeId] of routeIds.entries()) {
    const isDisabled = rules[at]?.state === "DISABLED";
    const { events, summary } = await replay(bus, { routeId });
    expect(events).toHaveLength(3);
    for (const { matched, outcome, reason, recorded } of events) {
      seen.add(outcome);
      const foretold = matched ? { outcome, ...(reason === null ? {} : { reason }) } : null;
      const { commandId, ...was } = recorded ?? {};
      expect(recorded && was).toEqual(isDisabled ? null : foretold);
      expect(commandId !== undefined).toBe(recorded?.outcome === "COMMAND_CREATED");
    }
    const { recorded, events: _, matched, reasons, ...counts } = summary;
    const nothing = { commands: 0, dryRuns: 0, failed: 0 };
    expect(recorded).toEqual(isDisabled ? nothing : counts);
  }
  expect([...seen].sort()).toEqual(["COMMAND_CREATED", "DRY_RUN", "FAILED", null].sort());
});
