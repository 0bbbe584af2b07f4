// How many events an agent may publish in a minute, even if the wall clock jumps.

import { test as base, expect, onTestFinished, vi } from "vitest";
import { openTestApp, type TestAgent } from "../../helpers/app.ts";
import { refuseRows } from "../../helpers/stored.ts";
import { collector } from "../scene.ts";
import { type Bus, openBus, type Sent } from "./scene.ts";

const test = base.extend("bus", () => openBus());

const limited = { code: "BUS_RATE_LIMITED" };

/** Returns the refusal, or null if the event is accepted. */
async function fateOf(bus: Bus, event: Partial<Sent> = {}, agent?: TestAgent) {
  const error = await bus.publish(event, agent).then(
    () => null,
    (reason) => reason as { code: string; retryAfterSeconds?: number },
  );
  return error;
}

async function fill(bus: Bus, count = 60): Promise<void> {
  for (let n = 0; n < count; n++) await bus.publish();
}

test("the limit is configurable and applies to each agent", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "3" });
  const other = await bus.registerAgent("edge-2", [{ ...collector, code: "second" }]);
  await fill(bus, 3);
  expect(await fateOf(bus)).toMatchObject(limited);
  expect(await fateOf(bus, { source: "second" }, other)).toBeNull();
});

test("60 of 100 concurrent events are accepted", async ({ bus }) => {
  const fates = await Promise.all(Array.from({ length: 100 }, () => fateOf(bus)));
  expect(fates.filter((fate) => fate === null)).toHaveLength(60);
  expect(fates.filter((fate) => fate?.code === "BUS_RATE_LIMITED")).toHaveLength(40);
  expect((await bus.as("viewer").page("bus-events.list")).pagination.total).toBe(60);
});

test("a repeated event counts toward the limit", async ({ bus }) => {
  for (let n = 0; n < 60; n++) {
    expect(await bus.publish({ id: "1" })).toMatchObject({ duplicate: n > 0 });
  }
  expect(await fateOf(bus, { id: "1" })).toMatchObject(limited);
  expect(await fateOf(bus)).toMatchObject(limited);
  bus.clock.advance(60_000);
  expect(await bus.publish({ id: "1" })).toMatchObject({ duplicate: true });
});

test("a refused event counts toward the limit", async ({ bus }) => {
  for (let n = 0; n < 60; n++) {
    expect(await fateOf(bus, { source: "nobody" })).toMatchObject({ code: "BUS_SOURCE_NOT_FOUND" });
  }
  expect(await fateOf(bus)).toMatchObject(limited);
  expect(await fateOf(bus, { source: "nobody" })).toMatchObject(limited);
});

test("an event that cannot be stored does not count", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "1" });
  const allow = await refuseRows(bus, "INSERT ON bus_events");
  await expect(bus.publish()).rejects.toThrow();
  await allow();
  expect(await fateOf(bus)).toBeNull();
  expect(await fateOf(bus)).toMatchObject(limited);
});

test("an event that waits for its transaction holds no place", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "1" });
  const { db } = bus.app.core;
  const { batch } = db;
  const waiting: ((error: Error) => void)[] = [];
  const restore = () => {
    db.batch = batch;
  };
  onTestFinished(restore);
  db.batch = () => new Promise((_, reject) => waiting.push(reject));
  const fates = [fateOf(bus), fateOf(bus)];
  await vi.waitFor(() => expect(waiting).toHaveLength(2), 60_000);
  for (const fail of waiting) fail(new Error("on purpose"));
  const ended = await Promise.all(fates);
  restore();
  expect(ended.map((error) => error?.code)).toEqual(["INTERNAL_ERROR", "INTERNAL_ERROR"]);
  expect(await fateOf(bus)).toBeNull();
});

test("an event stored twice after a rollback counts once", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "1" });
  await bus.route();
  let runs = 0;
  const publishing = fateOf(bus);
  for (let n = 0; n < 1000 && bus.database.storage().pendingWrites === 0; n++)
    await Promise.resolve();
  const failing = bus.database.write(async (tx) => {
    runs++;
    await tx.run("DELETE FROM sessions");
    throw new Error("on purpose");
  });
  await expect(failing).rejects.toThrow("on purpose");
  expect({ fate: await publishing, runs }).toEqual({ fate: null, runs: 2 });
  expect(await fateOf(bus)).toMatchObject(limited);
  expect(await bus.countCommands()).toBe(1);
});

test("an operator's events count for the service's agent", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "2" });
  const operator = bus.as("operator");
  const body = { type: "log.full", source: collector.code };
  await operator.call("bus-events.publish", { body });
  await bus.publish();
  await expect(operator.call("bus-events.publish", { body })).rejects.toMatchObject(limited);
  expect(await fateOf(bus)).toMatchObject(limited);
});

test("an agent's refusals have one audit row until a minute passes without one", async () => {
  const bus = await openBus({ CAPSULE_BUS_INGEST_PER_MIN: "1" });
  const rejected = () => bus.trail({ action: "bus.event.rejected" });
  const told = { actorName: "edge-1", metadata: { code: "BUS_RATE_LIMITED" } };
  await bus.publish();
  for (let n = 0; n < 50; n++) await fateOf(bus);
  expect(await rejected()).toMatchObject([told]);
  bus.clock.advance(120_000);
  await bus.publish();
  await fateOf(bus);
  expect(await rejected()).toMatchObject([told, told]);
});

test("a refusal needs no transaction, and names the wait, whatever the wall clock does", async () => {
  let at = 0;
  const world = { monotonic: () => at };
  const test = openTestApp({ CAPSULE_BUS_ENABLED: "true", CAPSULE_BUS_INGEST_PER_MIN: "1" }, world);
  const { agentId, client } = await test.registerAgent("edge-1", [collector]);
  const body = { type: "log.full", source: collector.code };
  const publish = () => client.call("agent.publish", { params: { agentId }, body });
  await publish();
  await expect(publish()).rejects.toMatchObject(limited);
  const { db } = test.app.core;
  const { batch } = db;
  db.batch = () => Promise.reject(new Error("a transaction"));
  await expect(publish()).rejects.toMatchObject({ ...limited, retryAfterSeconds: 60 });
  at += 59_999;
  test.clock.jump(3_600_000);
  await expect(publish()).rejects.toMatchObject({ ...limited, retryAfterSeconds: 1 });
  db.batch = batch;
  at += 1;
  await publish();
});
