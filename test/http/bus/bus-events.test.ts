// Events as they come over HTTP: both media types, how large they may be, and what the answers carry.

import { expect, test } from "vitest";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";

const actions = [{ name: "rotate" }];
const collector = { code: "log-collector", name: "L", version: "1", healthStatus: "UP", actions };
const limit = 256 * 1024;

async function listen() {
  const app = await listenTestApp({
    CAPSULE_BUS_ENABLED: "true",
    CAPSULE_BUS_INGEST_PER_MIN: "200",
  });
  const agent = await app.registerAgent("edge-1", [collector]);
  return { app, agent, publish: publisher(app, agent) };
}

function publisher(app: ListeningApp, agent: { agentId: string; agentToken: string }) {
  return (body: unknown, contentType = "application/cloudevents+json", agentId = agent.agentId) =>
    app.request("POST", `/api/agents/${agentId}/bus/events`, {
      bearer: agent.agentToken,
      headers: { "content-type": contentType },
      body,
    });
}

const event = { specversion: "1.0", type: "log.full", source: "log-collector" };

test.each([
  { contentType: "application/json", status: 201 },
  { contentType: "application/cloudevents+json", status: 201 },
  { contentType: "application/cloudevents+json; charset=utf-8", status: 201 },
  { contentType: "application/cloudevents-batch+json", status: 201 },
  { contentType: "text/plain", status: 415 },
  { contentType: "application/octet-stream", status: 415 },
])("$contentType: $status", async ({ contentType, status }) => {
  const { publish } = await listen();
  expect((await publish(event, contentType)).status).toBe(status);
});

test("a batch is no event", async () => {
  const { publish } = await listen();
  const { status, body } = await publish([event], "application/cloudevents-batch+json");
  expect({ status, code: body.error.code }).toEqual({ status: 422, code: "VALIDATION_FAILED" });
});

test("new is 201, known is 200; both say that this is experimental", async () => {
  const { publish } = await listen();
  const first = await publish({ ...event, id: "1" });
  const again = await publish({ ...event, id: "1" });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect([first.body.data.duplicate, again.body.data.duplicate]).toEqual([false, true]);
  for (const { body } of [first, again]) expect(body.experimental).toBe("v0.4-experimental");
});

test("200 at once with one id: one is 201, all others 200; one event, one command", async () => {
  const { publish, app } = await listen();
  const body = {
    name: "rotate",
    state: "ENABLED" as const,
    match: { type: "log.*" },
    target: { serviceCode: collector.code, action: "rotate" },
  };
  await app.as("operator").call("bus-routes.create", { body });
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, at) => publish({ ...event, id: "one and only", data: at })),
  );
  const tell = ({ status, body }: (typeof answers)[number]) => `${status} ${body.data.duplicate}`;
  const told = answers.map(tell).sort();
  expect(told).toEqual([...Array(199).fill("200 true"), "201 false"]);
  expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  expect((await app.as("viewer").page("bus-events.list")).pagination.total).toBe(1);
  expect((await app.as("viewer").page("commands.list")).pagination.total).toBe(1);
});

test("256 KiB it may have, and no byte more", async () => {
  const { publish, app } = await listen();
  const shell = JSON.stringify({ ...event, data: "" });
  const fitting = JSON.stringify({ ...event, data: "x".repeat(limit - shell.length) });
  expect(fitting).toHaveLength(limit);
  const { status, body } = await publish(fitting);
  expect(status).toBe(201);
  const stored = await app
    .as("viewer")
    .call("bus-events.get", { params: { eventId: body.data.id } });
  expect(stored.event.data).toHaveLength(limit - shell.length);
  const refused = await publish(`${fitting} `);
  expect(refused).toMatchObject({ status: 413, body: { error: { code: "PAYLOAD_TOO_LARGE" } } });
});

test.each<[what: string, body: unknown, status: number, code: string]>([
  ["not JSON", "{", 400, "INVALID_JSON"],
  ["a key twice", '{"type":"a","type":"b","source":"s"}', 400, "INVALID_JSON"],
  ["a key that reaches the prototype", '{"data":{"a":{"__proto__":1}}}', 400, "INVALID_JSON"],
  ["nested too deep", `{"data":${"[".repeat(32)}${"]".repeat(32)}}`, 400, "INVALID_JSON"],
  ["a number that is infinite", '{"data":{"mb":1e400}}', 400, "INVALID_JSON"],
  ["nothing", "", 422, "VALIDATION_FAILED"],
  ["no type", { source: "log-collector" }, 422, "VALIDATION_FAILED"],
  ["binary data", { ...event, data_base64: "aGk=" }, 422, "VALIDATION_FAILED"],
  ["an unknown source", { ...event, source: "nobody" }, 404, "BUS_SOURCE_NOT_FOUND"],
])("%s: %s", async (_what, body, status, code) => {
  const { publish, app } = await listen();
  expect(await publish(body)).toMatchObject({ status, body: { error: { code } } });
  expect((await app.as("viewer").page("bus-events.list")).data).toEqual([]);
});

test("statuses: another's path and another's source 403, too deep 422", async () => {
  const { publish, app } = await listen();
  const other = await app.registerAgent("edge-2", [{ ...collector, code: "second" }]);
  const refused = async (answer: ReturnType<typeof publish>) => {
    const { status, body } = await answer;
    return `${status} ${body.error.code}`;
  };
  expect(await refused(publish(event, undefined, other.agentId))).toBe("403 FORBIDDEN");
  const foreign = { ...event, source: "second" };
  expect(await refused(publish(foreign))).toBe("403 CAPSULE_SOURCE_FORBIDDEN");
  const { body: first } = await publish(event);
  const { body: second } = await publish({ ...event, causationid: first.data.id });
  expect(second.data.depth).toBe(1);
  const third = { ...event, causationid: second.data.id };
  expect(await refused(publish(third))).toBe("422 BUS_DEPTH_EXCEEDED");
});
