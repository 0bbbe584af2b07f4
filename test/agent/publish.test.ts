import { expect, test } from "vitest";
import type { PublishedEvent } from "../../src/agent/index.ts";
import { AppError } from "../../src/domain/errors.ts";
import { frontOf, refusal } from "../helpers/http/front.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import {
  cutOff,
  fast,
  makeAgent,
  registrationToken,
  serviceWith,
  startAgent,
  startPair,
  startWired,
  until,
} from "./harness.ts";

const busOn = { CAPSULE_BUS_ENABLED: "true" };
const full: PublishedEvent = { type: "log.full", source: "collector" };
const services = serviceWith({});
const mega = "x".repeat(300_000);

/** Returns the events that the server has stored, oldest first. */
async function stored(server: ListeningApp) {
  const viewer = server.as("viewer");
  const { data } = await viewer.page("bus-events.list");
  const events = data.map(({ id }) => viewer.call("bus-events.get", { params: { eventId: id } }));
  return (await Promise.all(events)).reverse();
}

async function envelopes(server: ListeningApp) {
  return (await stored(server)).map(({ event }) => event);
}

test("an event without an id and a time gets both, and a service that was just added is the source of its events", async () => {
  const { server, agent } = await startPair(services, {}, busOn);
  const before = Date.now();
  const receipt = await agent.publish({ ...full, data: { file: "a.log" } });
  expect(receipt).toEqual({
    id: expect.stringMatching(/^bev_/),
    sourceEventId: expect.stringMatching(/^[0-9A-Z]{26}$/),
    depth: 0,
    receivedAt: expect.any(String),
    duplicate: false,
  });
  const given = { id: "42", time: "2026-01-02T03:04:05Z", subject: "a.log", origin: "test" };
  await agent.publish({ ...full, ...given });
  expect(await agent.publish({ ...full, ...given })).toMatchObject({ duplicate: true });
  const added = agent.service({ code: "late", name: "Late", version: "1" });
  await added.publish({ type: "late.added", source: "collector" });
  const [first, second, ...more] = await envelopes(server);
  expect(more).toMatchObject([{ source: "late" }]);
  expect(first).toMatchObject({ id: receipt.sourceEventId, data: { file: "a.log" } });
  expect(Date.parse(first?.time ?? "")).toBeGreaterThanOrEqual(before);
  expect(second).toMatchObject(given);
});

test("an event whose response was lost is sent again unchanged and stored once", async () => {
  const { server, wire, agent } = await startWired(services, {}, busOn);
  let lost = 0;
  wire.loseAnswer = (text) => text.includes("bev_") && lost++ < 2;
  const event = { ...full, data: { file: "a.log" } };
  const publishing = agent.publish(event);
  event.data.file = "changed after the call";
  expect(await publishing).toMatchObject({ duplicate: true });
  expect(lost).toBe(3);
  expect(await envelopes(server)).toMatchObject([{ data: { file: "a.log" } }]);
});

test("an event waits while the server is unreachable, until the signal aborts it", async () => {
  const { server, wire, tested } = await startWired(services, { timing: cutOff }, busOn);
  wire.up = false;
  const ending = new AbortController();
  const given = tested.agent.publish({ ...full, id: "given up" }, { signal: ending.signal });
  const kept = tested.agent.publish({ ...full, id: "kept" });
  await tested.event("publish.retry", ({ eventId }) => eventId === "given up");
  ending.abort(new Error("enough"));
  await expect(given).rejects.toThrow("enough");
  // An attempt may already have sent the event, on a connection that the wire has not accepted yet.
  // The wire breaks connections in order, so it has broken that one before this one.
  await expect(fetch(wire.url)).rejects.toThrow("fetch failed");
  wire.up = true;
  await kept;
  expect((await envelopes(server)).map(({ id }) => id)).toEqual(["kept"]);
  const aborted = AbortSignal.abort(new Error("at once"));
  await expect(tested.agent.publish(full, { signal: aborted })).rejects.toThrow("at once");
});

test("the signal also ends a long wait for the next attempt", async () => {
  const timing = { ...cutOff, backoffMinSeconds: 3000, backoffMaxSeconds: 3000 };
  const { wire, tested } = await startWired(services, { timing }, busOn);
  wire.up = false;
  const ending = new AbortController();
  const publishing = tested.agent.publish(full, { signal: ending.signal });
  await tested.event("publish.retry");
  ending.abort(new Error("enough"));
  await expect(publishing).rejects.toThrow("enough");
});

test("an event that cannot be stored fails immediately, and one that is too large is not sent", async () => {
  const { server, wire, agent, events } = await startWired(services, {}, busOn);
  await server.registerAgent("other", [{ code: "foreign", name: "Foreign", version: "1" }]);
  // A large event would break the connection.
  wire.breaksOver = 100_000;
  await agent.publish({ ...full, id: "shallow" });
  await agent.publish({ ...full, id: "deep", causationid: "shallow" });
  const circle: Record<string, unknown> = {};
  circle.self = circle;
  const wrong: [code: string, change: Partial<PublishedEvent>][] = [
    ["BUS_SOURCE_NOT_FOUND", { source: "nobody" }],
    ["CAPSULE_SOURCE_FORBIDDEN", { source: "foreign" }],
    ["BUS_DEPTH_EXCEEDED", { causationid: "deep" }],
    ["VALIDATION_FAILED", { type: "no type at all" }],
    ["VALIDATION_FAILED", { data: circle }],
    ["PAYLOAD_TOO_LARGE", { data: mega }],
  ];
  for (const [code, change] of wrong) {
    const refusal = await agent.publish({ ...full, ...change }).catch((error) => error);
    expect(refusal).toBeInstanceOf(AppError);
    expect(refusal).toMatchObject({ code });
  }
  expect(events.filter(({ type }) => type === "publish.retry")).toEqual([]);
  expect(await stored(server)).toHaveLength(2);
});

test("publishing to a disabled bus fails immediately", async () => {
  const { agent } = await startPair(services);
  await expect(agent.publish(full)).rejects.toMatchObject({ code: "CAPSULE_BUS_DISABLED" });
});

test("publishing to a server that is too old to have a bus fails immediately", async () => {
  const server = await listenTestApp();
  const unknown = [404, refusal("NOT_FOUND")] as const;
  const front = await frontOf(server, /\/bus\/events$/, unknown, { times: 9 });
  const { agent } = await startAgent(server, services, { server: front.url });
  await expect(agent.publish(full)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("an event that exceeds the rate per minute waits until there is room", async () => {
  const { server, agent, event } = await startPair(
    services,
    {},
    { ...busOn, CAPSULE_BUS_INGEST_PER_MIN: "2" },
  );
  await agent.publish(full);
  server.clock.advance(58_500);
  await agent.publish(full);
  const waiting = agent.publish(full);
  expect(await event("publish.retry")).toMatchObject({ code: "BUS_RATE_LIMITED", level: "warn" });
  expect(await stored(server)).toHaveLength(2);
  server.clock.advance(1500);
  await waiting;
  expect(await stored(server)).toHaveLength(3);
});

test("publishing fails before the start and after the stop, and waits while the agent starts", async () => {
  const server = await listenTestApp(busOn);
  const token = await registrationToken(server);
  const tested = makeAgent({ server: server.url, services, registrationToken: token });
  const gone = { code: "AGENT_NOT_RUNNING" };
  await expect(tested.agent.publish(full)).rejects.toMatchObject(gone);
  const starting = tested.agent.start();
  await tested.agent.publish(full);
  await starting;
  await tested.agent.stop();
  await expect(tested.agent.publish(full)).rejects.toMatchObject(gone);

  const refused = makeAgent({ server: server.url, services, registrationToken: token });
  const failing = expect(refused.agent.start()).rejects.toMatchObject({
    code: "REGISTRATION_REFUSED",
  });
  await expect(refused.agent.publish(full)).rejects.toMatchObject(gone);
  await failing;
});

test("a stop waits until the current events are sent, up to its time limit", async () => {
  const { server, wire, tested } = await startWired(
    services,
    { timing: { ...fast, flushSeconds: 3000 } },
    busOn,
  );
  let goOn = () => {};
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  wire.holdAnswer = (text) => (text.includes("bev_") ? held : undefined);
  const publishing = tested.agent.publish(full);
  await until(async () => (await stored(server)).length === 1, "the event");
  const stopping = tested.agent.stop();
  goOn();
  expect(await publishing).toMatchObject({ duplicate: false });
  await stopping;

  const cut = await startAgent(server, services, { server: wire.url, timing: cutOff });
  wire.up = false;
  const lost = expect(cut.agent.publish(full)).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
  await cut.event("publish.retry");
  await cut.agent.stop();
  await lost;
});
