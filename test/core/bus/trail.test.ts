// An event, its route and its command name each other, even after one was renamed or deleted.

import { test as base, describe, expect } from "vitest";
import { type Bus, openBus } from "./scene.ts";

const test = base.extend("bus", () => openBus());

const nowhere = { target: { serviceCode: "nowhere", action: "rotate" } };

async function routesOf(bus: Bus, id: string) {
  return (await bus.event(id)).routes;
}

describe("an event lists each matched route", () => {
  test("with its name and the current command status", async ({ bus }) => {
    const routeId = await bus.route();
    const { id } = await bus.publish();
    const [match] = await routesOf(bus, id);
    const commandId = match?.commandId ?? "";
    const told = {
      routeId,
      routeName: "rotate what is full",
      outcome: "COMMAND_CREATED",
      commandId,
    };
    expect(await routesOf(bus, id)).toEqual([{ ...told, commandStatus: "PENDING" }]);
    const expiresAt = new Date(bus.clock.now() + 300_000).toISOString();
    expect(await bus.get(commandId)).toMatchObject({ expiresAt });
    await bus.poll();
    expect(await routesOf(bus, id)).toEqual([{ ...told, commandStatus: "RUNNING" }]);
    await bus.result(commandId, { success: false });
    expect(await routesOf(bus, id)).toEqual([{ ...told, commandStatus: "FAILED" }]);
    const { data } = await bus.as("viewer").page("bus-events.list");
    expect(data[0]?.routes).toEqual(await routesOf(bus, id));
  });

  test("with its current name, or its last name if it was deleted", async ({ bus }) => {
    const kept = await bus.route({ name: "kept", state: "DRY_RUN" });
    const gone = await bus.route({ name: "gone" });
    const failed = await bus.route({ name: "failed", ...nowhere });
    const { id } = await bus.publish();
    const operator = bus.as("operator");
    for (const [routeId, name] of [
      [kept, "kept 2"],
      [gone, "gone 2"],
    ] as const) {
      const params = { routeId };
      const route = await operator.call("bus-routes.get", { params });
      await operator.call("bus-routes.update", { params, body: { ...route, name } });
    }
    for (const routeId of [gone, failed]) {
      await operator.call("bus-routes.delete", { params: { routeId } });
    }
    expect(await routesOf(bus, id)).toMatchObject([
      { routeId: kept, routeName: "kept 2", outcome: "DRY_RUN" },
      { routeId: gone, routeName: "gone", routeDeleted: true, outcome: "COMMAND_CREATED" },
      { routeId: failed, routeName: "failed", routeDeleted: true, outcome: "FAILED" },
    ]);
    const [first] = await routesOf(bus, id);
    expect(first).not.toHaveProperty("routeDeleted");
  });

  test("even if the match was stored by a version that did not store names", async ({ bus }) => {
    const routeId = await bus.route();
    const { id } = await bus.publish();
    await bus.database.write((tx) => tx.run("UPDATE bus_matches SET route_name = NULL"));
    expect((await routesOf(bus, id))[0]?.routeName).toBe("rotate what is full");
    await bus.as("operator").call("bus-routes.delete", { params: { routeId } });
    const [match] = await routesOf(bus, id);
    expect(match).toMatchObject({ routeId, routeDeleted: true });
    expect(match).not.toHaveProperty("routeName");
  });
});

describe("bus commands", () => {
  test("are found by event and by route", async ({ bus }) => {
    const one = await bus.route({ name: "one" });
    const two = await bus.route({ name: "two", match: { type: "log.*" } });
    const { id: full } = await bus.publish();
    const { id: empty } = await bus.publish({ type: "log.empty" });
    await bus.execute();
    const viewer = bus.as("viewer");
    const [byOne, byTwo] = (await routesOf(bus, full)).map(({ commandId }) => commandId);
    const [ofEmpty] = (await routesOf(bus, empty)).map(({ commandId }) => commandId);
    const user = (await viewer.page("commands.list")).data[0]?.source.userId ?? "";
    const cases: [query: object, ids: (string | undefined)[]][] = [
      [{ eventId: full }, [byTwo, byOne]],
      [{ eventId: empty }, [ofEmpty]],
      [{ routeId: one }, [byOne]],
      [{ routeId: two }, [ofEmpty, byTwo]],
      [{ routeId: two, eventId: full }, [byTwo]],
      [{ routeId: two, status: "RUNNING" }, []],
      [{ routeId: two, pageSize: 1, page: 2 }, [byTwo]],
      [{ eventId: "bev_none" }, []],
      // An operator's command has no event as its source.
      [{ eventId: user }, []],
    ];
    for (const [query, ids] of cases) {
      const { data } = await viewer.page("commands.list", { query });
      expect([query, data.map(({ id }) => id)]).toEqual([query, ids]);
    }
  });
});

test("audit messages name the event", async ({ bus }) => {
  const made = await bus.route();
  const tried = await bus.route({ state: "DRY_RUN" });
  const { id } = await bus.publish();
  const commandId = (await routesOf(bus, id))[0]?.commandId ?? "";
  const messageOf = async (targetId: string) =>
    (await bus.trail({ targetId, pageSize: 1 }))[0]?.message;
  expect(await messageOf(made)).toBe(`The event ${id} became the command ${commandId}.`);
  expect(await messageOf(tried)).toBe(`The event ${id} would have become a command.`);
  expect(await messageOf(commandId)).toBe(
    `The route rotate what is full created it from the event ${id}.`,
  );
  expect(await messageOf(await bus.execute({ reason: "because" }))).toBe("because");
  expect(await messageOf(await bus.execute())).toBeNull();
});

test("metrics count events, outcomes and refusals by kind", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "5" });
  await bus.route();
  await bus.route(nowhere);
  await bus.route({ state: "DRY_RUN" });
  await bus.route({ state: "DRY_RUN", ...nowhere });
  const refused = (event: object) => expect(bus.publish(event)).rejects.toMatchObject({});
  const { id: causationid } = await bus.publish({ id: "1" });
  await bus.publish({ id: "1" });
  await bus.publish({ id: "2", causationid });
  await refused({ source: "nobody" });
  await refused({ causationid: "2" });
  await refused({ id: "full" });
  await refused({ id: "full" });
  const { bus: counts } = await bus.as("owner").call("metrics.get");
  expect(counts).toEqual({
    eventsReceived: 2,
    eventsDuplicate: 1,
    eventsRejected: 2,
    eventsRateLimited: 2,
    commandsCreated: 2,
    routesFailed: 4,
  });
});
