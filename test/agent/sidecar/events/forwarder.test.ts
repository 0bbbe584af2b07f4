import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AppError, type ErrorCode } from "../../../../src/domain/errors.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { listenTestApp } from "../../../helpers/http/http.ts";
import { serviceWith, startAgent, until } from "../../harness.ts";
import {
  eventsFor,
  fakeServer,
  idOf,
  serveEvents,
  someEvents,
  startForwarder,
} from "../events-service.ts";
import { atOnce, stuckPort } from "../services.ts";

const ids = (events: unknown[]) => events.map(idOf);

async function openPair() {
  return { service: await serveEvents(), server: fakeServer() };
}

function cursorIn(stateDir: string): unknown {
  return JSON.parse(readFileSync(join(stateDir, "bus-shop.json"), "utf8")).cursor;
}

test("all events are forwarded in order, page by page, followed by later events", async () => {
  const { service, server } = await openPair();
  service.events = someEvents(250);
  const { event, stateDir } = startForwarder({ url: `${service.url}?of=me`, ...server });
  await until(() => server.stored.length === 250, "all");
  expect(ids(server.stored)).toEqual(ids(service.events));
  expect(await event("bus.forwarded")).toMatchObject({ serviceCode: "shop", stored: 100 });
  await until(() => service.asked.length > 3, "the end of the list");
  const queries = service.asked.slice(0, 4).map((query) => Object.fromEntries(query));
  expect(queries).toEqual([
    { of: "me", limit: "100" },
    { of: "me", limit: "100", after: "e100" },
    { of: "me", limit: "100", after: "e200" },
    { of: "me", limit: "100", after: "e250" },
  ]);
  service.events.push(...someEvents(1, 251));
  await until(() => server.stored.length === 251, "one more");
  await until(() => cursorIn(stateDir) === "e251", "the cursor");
  expect(server.tries).toHaveLength(251);
});

test("an event's source is the service unless the event names another", async () => {
  const { service, server } = await openPair();
  const [one, two, three] = someEvents(3);
  service.events = [one, { ...two, source: null }, { ...three, source: "other", data: { a: 1 } }];
  startForwarder({ url: service.url, ...server });
  await until(() => server.stored.length === 3, "all");
  expect(server.stored.map(({ source }) => source)).toEqual(["shop", "shop", "other"]);
  expect(server.stored[2]).toEqual(service.events[2]);
});

test.each<[string, (events: unknown[], cursor: number) => unknown]>([
  ["a cursor", (events, cursor) => ({ events, cursor: `c${cursor}` })],
  ["a number as the cursor", (events, cursor) => ({ events, cursor })],
  ["an empty cursor", (events) => ({ events, cursor: "" })],
  ["the envelope", (events) => ({ success: true, data: { events, cursor: null } })],
  ["a list alone", (events) => events],
  ["a list in the envelope", (events) => ({ success: true, data: events })],
])("a service may respond with %s", async (_, answered) => {
  const { service, server } = await openPair();
  const events = someEvents(4);
  service.answer = (response) => {
    const after = service.asked.at(-1)?.get("after")?.slice(-1) ?? 0;
    const page = events.slice(Number(after), Number(after) + 2);
    if (page.length === 0) response.writeHead(204).end();
    else response.end(JSON.stringify(answered(page, Number(after) + 2)));
  };
  const { told } = startForwarder({ url: service.url, ...server });
  await until(() => service.asked.length > 4, "the end of the list");
  expect(ids(server.stored)).toEqual(ids(events));
  expect(told.filter(({ type }) => type === "bus.failed")).toEqual([]);
});

test("a restart continues after the last stored event; a new URL starts from the beginning", async () => {
  const { service, server } = await openPair();
  service.events = someEvents(3);
  const first = startForwarder({ url: service.url, ...server });
  await until(() => service.asked.length > 1, "the end of the list");
  await first.stop();
  const { stateDir } = first;
  const file = join(stateDir, "bus-shop.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(stateDir)).toEqual(["bus-shop.json"]);

  service.events.push(...someEvents(1, 4));
  const second = startForwarder({ url: service.url, ...server, stateDir });
  await until(() => server.stored.length === 4, "the new one");
  expect(server.tries).toEqual(["e1", "e2", "e3", "e4"]);
  await second.stop();

  startForwarder({ url: `${service.url}?v=2`, ...server, stateDir });
  await until(() => server.tries.length === 8, "all again");
});

test("the cursor advances only when the server has stored all events before it", async () => {
  const { service, server } = await openPair();
  service.events = someEvents(3);
  let release = () => {};
  server.before = ({ id }) =>
    id === "e3" ? new Promise<void>((resolve) => (release = resolve)) : undefined;
  const { stateDir, stop } = startForwarder({ url: service.url, ...server });
  await until(() => server.tries.length === 3, "the last try");
  expect(service.asked).toHaveLength(1);
  expect(readdirSync(stateDir)).toEqual([]);
  await stop();
  expect(readdirSync(stateDir)).toEqual([]);

  startForwarder({ url: service.url, ...server, stateDir });
  await until(() => server.tries.length === 6, "the page again");
  release();
  await until(() => readdirSync(stateDir).length === 1, "the cursor");
  expect(ids(server.stored)).toEqual(["e1", "e2", "e3"]);
});

test("an event that the server will never accept is skipped and reported once, and the others follow", async () => {
  const { service, server } = await openPair();
  const ofTheEvent: ErrorCode[] = [
    ...(["VALIDATION_FAILED", "INVALID_JSON"] as const),
    ...(["PAYLOAD_TOO_LARGE", "BUS_DEPTH_EXCEEDED"] as const),
  ];
  const ofTheSource: ErrorCode[] = ["BUS_SOURCE_NOT_FOUND", "CAPSULE_SOURCE_FORBIDDEN"];
  const codes = [...ofTheEvent, ...ofTheSource];
  const refused = someEvents(codes.length).map((event, at) => ({
    ...event,
    source: at < ofTheEvent.length ? "shop" : "foreign",
  }));
  service.events = [...refused, ...someEvents(3, 7)];
  let tries = 0;
  server.before = ({ id }) => {
    const code = codes[refused.findIndex((event) => event.id === id)];
    if (code) throw new AppError(code, "Not this one.");
    if (id !== "e8" || ++tries > 2) return;
    throw new AppError(tries === 1 ? "INTERNAL_ERROR" : "INVALID_REQUEST", "Not now.");
  };
  const { told } = startForwarder({ url: service.url, ...server });
  await until(() => server.stored.length === 3, "the others");
  expect(ids(server.stored)).toEqual(["e7", "e8", "e9"]);
  // The forwarder read the page three times, but did not publish the settled events again.
  expect(server.tries).toEqual([...ids(service.events).slice(0, 8), "e8", "e8", "e9"]);
  expect(told.filter(({ type }) => type === "bus.skipped")).toMatchObject(
    codes.map((code, at) => ({ level: "error", serviceCode: "shop", eventId: `e${at + 1}`, code })),
  );
});

test("an id that is a whole number becomes text, in the event and in the cursor", async () => {
  const app = await listenTestApp({ CAPSULE_BUS_ENABLED: "true" });
  const tested = await startAgent(app, serviceWith({}));
  const { publish } = tested.agent;
  const service = await serveEvents();
  // JSON cannot represent the last number exactly, so the forwarder skips its event.
  service.events = [0, 41, 42, 2 ** 53].map((id) => ({ type: "order.created", id }));
  service.answer = (response) => {
    const from = { events: service.events.map((event) => ({ id: String(idOf(event)) })) };
    const rest = eventsFor({ ...service, ...from }, service.asked.at(-1)!).length;
    response.end(JSON.stringify(rest === 0 ? [] : service.events.slice(-rest)));
  };
  const { told, stateDir } = startForwarder({
    url: service.url,
    publish,
    serviceCode: "collector",
  });
  const file = join(stateDir, "bus-collector.json");
  await until(() => existsSync(file) && readFileSync(file, "utf8").includes('"42"'), "the cursor");
  const { data } = await app.as("viewer").page("bus-events.list");
  expect(data.map(({ sourceEventId }) => sourceEventId)).toEqual(["42", "41", "0"]);
  expect(told.filter(({ type }) => type === "bus.skipped")).toMatchObject([
    { eventId: "9007199254740992", code: "VALIDATION_FAILED" },
  ]);
});

test("an entry that is not an event or has no id is skipped", async () => {
  const { service, server } = await openPair();
  service.events = [{ type: "order.created" }, "text", null, ...someEvents(1)];
  const { told } = startForwarder({ url: service.url, ...server });
  await until(() => server.stored.length === 1, "the event");
  const skipped = told.filter(({ type }) => type === "bus.skipped");
  expect(skipped).toMatchObject(Array(3).fill({ eventId: null, code: "EVENT_INVALID" }));
});

test.each<ErrorCode>(["BUS_SOURCE_NOT_FOUND", "CAPSULE_SOURCE_FORBIDDEN", "CAPSULE_BUS_DISABLED"])(
  "after %s for the service itself, its events wait, and this is reported once",
  async (code) => {
    const { service, server } = await openPair();
    service.events = someEvents(2);
    server.before = () => {
      throw new AppError(code, "Not now.");
    };
    const { told, event } = startForwarder({ url: service.url, ...server });
    await until(() => server.tries.length > 3, "some tries");
    expect(server.tries.every((id) => id === "e1")).toBe(true);
    server.before = null;
    await event("bus.restored");
    expect(ids(server.stored)).toEqual(["e1", "e2"]);
    const { length } = told.filter(({ type }) => type === "bus.failed");
    expect(length).toBe(1);
    expect(told.find(({ type }) => type === "bus.failed")).toMatchObject({ level: "error", code });
    expect(told.map(({ type }) => type)).not.toContain("bus.skipped");
  },
);

test("events of another service of the agent wait until the server accepts the service", async () => {
  const { service, server } = await openPair();
  const [one, two] = someEvents(2);
  service.events = [{ ...one, source: "shop-eu" }, two];
  server.before = () => {
    if (server.tries.length <= 2) throw new AppError("CAPSULE_SOURCE_FORBIDDEN", "Not now.");
  };
  const isOwn = (code: unknown) => code === "shop" || code === "shop-eu";
  const { stateDir, told } = startForwarder({ url: service.url, ...server, isOwn });
  await until(() => existsSync(join(stateDir, "bus-shop.json")), "the cursor");
  expect(ids(server.stored)).toEqual(["e1", "e2"]);
  expect(told.map(({ type }) => type)).not.toContain("bus.skipped");
});

const json = (value: unknown) => (response: ServerResponse) => response.end(JSON.stringify(value));

test.each<[string, string, (response: ServerResponse) => void]>([
  ["that hangs", "SERVICE_UNREACHABLE", () => undefined],
  ["that breaks off", "SERVICE_UNREACHABLE", (response) => response.destroy()],
  ["that fails", "SERVICE_REFUSES", (response) => response.writeHead(500).end()],
  [
    "that redirects",
    "SERVICE_REFUSES",
    (response) => response.writeHead(302, { location: "/" }).end(),
  ],
  ["without JSON", "SERVICE_ANSWER_INVALID", (response) => response.end("<html>")],
  ["without a list", "SERVICE_ANSWER_INVALID", json({ events: {} })],
  [
    "whose envelope reports a failure",
    "SERVICE_ANSWER_INVALID",
    json({ success: false, data: [] }),
  ],
  [
    "whose last event has no id to continue from",
    "SERVICE_ANSWER_INVALID",
    json({ events: [{ type: "a" }, 7] }),
  ],
  [
    "with a cursor that is too long",
    "SERVICE_ANSWER_INVALID",
    json({ events: [], cursor: "x".repeat(2001) }),
  ],
])(
  "a service %s is reported once as %s, retried, and reported when it works again",
  async (name, code, bad) => {
    const limit = name === "that hangs" ? { timeoutMs: 50 } : {};
    const { service, server } = await openPair();
    service.events = someEvents(1);
    service.answer = bad;
    const { told, event } = startForwarder({ url: service.url, ...server, ...limit });
    await until(() => service.asked.length > 3, "some tries");
    service.answer = null;
    expect(await event("bus.restored")).toMatchObject({ level: "info" });
    expect(ids(server.stored)).toEqual(["e1"]);
    const news = () => told.filter(({ type }) => type === "bus.failed" || type === "bus.restored");
    const [failure, next] = news();
    expect(failure).toMatchObject({ type: "bus.failed", level: "warn", code, serviceCode: "shop" });
    expect(next).toMatchObject({ type: "bus.restored" });
    service.answer = bad;
    await until(() => news().at(-1)?.type === "bus.failed", "the next time");
  },
);

test.each([
  ["seconds", "1800", 1_800_000],
  ["a date relative to the service's own clock", "Thu, 01 Jan 2026 00:30:00 GMT", 1_800_000],
  ["more than an hour, which is the maximum", "999999999", 3_600_000],
])("a service's Retry-After is obeyed: %s", async (_, retryAfter, expectedMs) => {
  const [{ service, server }, other] = [await openPair(), await openPair()];
  const date = "Thu, 01 Jan 2026 00:00:00 GMT";
  const headers = { date, "retry-after": retryAfter };
  service.answer = (response) => response.writeHead(429, headers).end();
  other.service.answer = (response) => response.writeHead(429).end();
  const { event } = startForwarder({ url: service.url, ...server });
  expect(await event("bus.failed")).toMatchObject({ delayMs: expectedMs });
  // Waits until a service without Retry-After has been called several times.
  startForwarder({ url: other.service.url, ...other.server });
  await until(() => other.service.asked.length > 5, "the other's tries");
  expect(service.asked).toHaveLength(1);
});

test("a service that accepts no connections is reported as not responding", async () => {
  const url = `http://127.0.0.1:${await stuckPort()}/events?key=s3cret`;
  const { event } = startForwarder({ url, ...fakeServer(), timeoutMs: 100 });
  const { code, message } = await atOnce(event("bus.failed"));
  expect(code).toBe("SERVICE_UNREACHABLE");
  const why = `GET ${url.replace(/\?.*/, "")}: no answer within 0.1 s`;
  expect(message).toBe(`Events of shop cannot be forwarded: ${why}`);
});

test("pages shrink for large events, and a single event that is too large is reported", async () => {
  const { service, server } = await openPair();
  service.events = someEvents(45).map((event) => ({ ...event, data: "x".repeat(100_000) }));
  const { event } = startForwarder({ url: service.url, ...server });
  await until(() => server.stored.length === 45, "all");
  expect(ids(server.stored)).toEqual(ids(service.events));
  expect(service.asked.slice(0, 2).map((query) => query.get("limit"))).toEqual(["100", "50"]);
  service.answer = (response) => response.end(`["${"x".repeat(4_300_000)}"]`);
  expect(await event("bus.failed")).toMatchObject({ code: "SERVICE_ANSWER_INVALID" });
  expect(service.asked.at(-1)?.get("limit")).toBe("1");
});

test("a service whose cursor does not change is reported and not called again immediately", async () => {
  const { service, server } = await openPair();
  const [one, two] = someEvents(2);
  service.answer = json([one, two]);
  const { event, told } = startForwarder({ url: service.url, ...server });
  expect(await event("bus.failed")).toMatchObject({ code: "SERVICE_ANSWER_INVALID" });
  // The second page is the same as the first. It is published again, but later pages are not.
  await until(() => service.asked.length > 5, "some pages");
  expect(server.tries).toEqual(["e1", "e2", "e1", "e2"]);
  service.answer = json([one, two, ...someEvents(1, 3)]);
  await until(() => server.stored.length === 3, "the new one");
  expect(told.filter(({ type }) => type === "bus.skipped")).toEqual([]);
});

test.each([
  ["not JSON", "no cursor"],
  ["without a valid cursor", '{"cursor": 7}'],
])(
  "a cursor file that is %s is reported, and nothing is read until an operator removes the file",
  async (_, text) => {
    const { service, server } = await openPair();
    const stateDir = temporaryFolder();
    writeFileSync(join(stateDir, "bus-shop.json"), text);
    const { event, stop } = startForwarder({ url: service.url, ...server, stateDir });
    const { message, code } = await event("bus.failed");
    expect({ code, message }).toEqual({
      code: "CURSOR_UNUSABLE",
      message: expect.stringContaining("remove it"),
    });
    expect(service.asked).toEqual([]);
    await stop();
  },
);

test("a cursor that cannot be written is reported, and its page is not published again", async () => {
  const { service, server } = await openPair();
  service.events = someEvents(2);
  const stateDir = join(temporaryFolder(), "missing");
  const { event } = startForwarder({ url: service.url, ...server, stateDir });
  expect(await event("bus.failed")).toMatchObject({ code: "CURSOR_UNUSABLE" });
  await until(() => service.asked.length > 3, "some tries");
  expect(server.tries).toEqual(["e1", "e2"]);
});

const long = { intervalMs: 600_000 };

test("the forwarder stops immediately while it waits for a response, for its interval, or after a failure", async () => {
  const unanswered = await openPair();
  unanswered.service.answer = () => undefined;
  const waiting = startForwarder({ url: unanswered.service.url, ...unanswered.server, ...long });
  await until(() => unanswered.service.asked.length === 1, "the question");
  await atOnce(waiting.stop());
  for (const answer of [
    json([]),
    (response: ServerResponse) => response.writeHead(429, { "retry-after": "600" }).end(),
  ]) {
    const { service, server } = await openPair();
    const hungUp = Promise.withResolvers<void>();
    service.answer = (response, { socket }) => {
      socket.once("close", hungUp.resolve);
      answer(response);
    };
    const { stop } = startForwarder({ url: service.url, ...server, ...long });
    // By now the forwarder has read the response.
    await hungUp.promise;
    await atOnce(stop());
  }
});

test("the cursor is sent back unchanged, whatever characters it has", async () => {
  const { service, server } = await openPair();
  const odd = "a b&limit=1#é/日";
  service.answer = (response) => {
    const query = service.asked.at(-1) ?? new URLSearchParams();
    const isFirst = query.get("after") === null;
    const events = isFirst ? eventsFor({ ...service, events: someEvents(1) }, query) : [];
    response.end(JSON.stringify({ events, cursor: odd }));
  };
  startForwarder({ url: service.url, ...server });
  await until(() => service.asked.length > 1, "the next question");
  expect(Object.fromEntries(service.asked[1] ?? [])).toEqual({ after: odd, limit: "100" });
});
