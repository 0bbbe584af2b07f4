// test/core/bus/bus-events.test.ts tests the rules; test/api/bus/event-schemas.test.ts, the fields.

import { expect, test } from "vitest";
import { listenTestApp, refused } from "../../helpers/http/http.ts";
import { perFile } from "../../helpers/lifetime.ts";

const actions = [{ name: "rotate" }];
const collector = { code: "log-collector", name: "L", version: "1", healthStatus: "UP", actions };
const limit = 256 * 1024;

const opened = perFile(async () => {
  const app = await listenTestApp({ CAPSULE_BUS_ENABLED: "true" });
  const agent = await app.registerAgent("edge-1", [collector]);
  const publish = (body: unknown, contentType = "application/cloudevents+json") =>
    app.request("POST", `/api/agents/${agent.agentId}/bus/events`, {
      bearer: agent.agentToken,
      headers: { "content-type": contentType },
      body,
    });
  return { app, publish };
});

const event = { specversion: "1.0", type: "log.full", source: "log-collector" };

test("a batch is not an event", async () => {
  const { publish } = opened();
  const { status, body } = await publish([event], "application/cloudevents-batch+json");
  expect({ status, code: body.error.code }).toEqual({ status: 422, code: "VALIDATION_FAILED" });
});

test("a new event gets 201, a repeated event gets 200, and both responses are marked as experimental", async () => {
  const { publish } = opened();
  const first = await publish({ ...event, id: "1" });
  const again = await publish({ ...event, id: "1" });
  expect([first.status, again.status]).toEqual([201, 200]);
  expect([first.body.data.duplicate, again.body.data.duplicate]).toEqual([false, true]);
  for (const { body } of [first, again]) expect(body.experimental).toBe("v0.4-experimental");
});

test("an event can have up to 256 KiB", async () => {
  const { publish, app } = opened();
  const shell = JSON.stringify({ ...event, data: "" });
  const fitting = JSON.stringify({ ...event, data: "x".repeat(limit - shell.length) });
  expect(fitting).toHaveLength(limit);
  const { status, body } = await publish(fitting);
  expect(status).toBe(201);
  const stored = await app
    .as("viewer")
    .call("bus-events.get", { params: { eventId: body.data.id } });
  expect(stored.event.data).toHaveLength(limit - shell.length);
  expect(await publish(`${fitting} `)).toMatchObject(refused(413, "PAYLOAD_TOO_LARGE"));
});
