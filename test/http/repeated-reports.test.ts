// A report with the same bytes as the agent's last one is not parsed. In every other way it is
// handled like the first.

import { expect, onTestFinished, test, vi } from "vitest";
import { flushPresence } from "../../src/core/presence/flush.ts";
import { type Scene, sceneIn } from "../core/scene.ts";
import type { TestAgent } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp, refused } from "../helpers/http/http.ts";

const path = "/api/agents/services";
const service = { code: "archive", name: "Archive", version: "1.0.0", healthStatus: "UP" };
const sent = JSON.stringify({ services: [service] });

type Fleet = ListeningApp & Scene;

async function openFleet(): Promise<Fleet> {
  return sceneIn(await listenTestApp(), [{ ...service, code: "log-collector" }]);
}

function post({ request, agent }: Fleet, body = sent, { agentToken } = agent as TestAgent) {
  return request("POST", path, { bearer: agentToken, body });
}

/** Counts how often a text that contains `like` is parsed from now on. */
function watchParsing(like: string): () => number {
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  return () => parse.mock.calls.filter(([text]) => text.includes(like)).length;
}

test("the same bytes are parsed once, get the same response, and write nothing", async () => {
  const fleet = await openFleet();
  const parsed = watchParsing(service.name);
  const first = await post(fleet);
  expect(parsed()).toBe(1);
  await flushPresence(fleet.app.core);
  const written = fleet.watchWrites();
  fleet.clock.advance(1000);
  expect((await post(fleet)).body).toEqual(first.body);
  expect(parsed()).toBe(1);
  expect(written()).toBe(false);
  const { id } = first.body.data.services[0];
  const found = await fleet.as("viewer").call("services.get", { params: { serviceId: id } });
  expect(found.lastReportedAt).toBe(new Date(fleet.clock.now()).toISOString());
});

test("a report in another form writes nothing, and is not parsed when it is repeated", async () => {
  const fleet = await openFleet();
  const first = await post(fleet);
  const parsed = watchParsing(service.name);
  const written = fleet.watchWrites();
  const spaced = JSON.stringify({ services: [service] }, null, 2);
  expect((await post(fleet, spaced)).body).toEqual(first.body);
  expect((await post(fleet, spaced)).body).toEqual(first.body);
  expect(parsed()).toBe(1);
  expect(written()).toBe(false);
});

test("an earlier report takes effect again", async () => {
  const fleet = await openFleet();
  const { id } = (await post(fleet)).body.data.services[0];
  await post(fleet, sent.replace("1.0.0", "1.0.1"));
  await post(fleet);
  const found = await fleet.as("viewer").call("services.get", { params: { serviceId: id } });
  expect(found.version).toBe("1.0.0");
});

test.each<[what: string, change: (fleet: Fleet, serviceId: string) => unknown]>([
  [
    "an operator deletes the service",
    ({ as, clock }, serviceId) => {
      clock.advance(600_000); // so that it is OFFLINE
      return as("owner").call("services.delete", { params: { serviceId } });
    },
  ],
  [
    "another process changes the service",
    ({ elsewhere }) => elsewhere("UPDATE services SET version = '0.9' WHERE code = 'archive'"),
  ],
  [
    "a heartbeat changes the service's health",
    ({ beat }) => beat({ health: [{ serviceCode: service.code, healthStatus: "DOWN" }] }),
  ],
])("the same bytes restore the service after %s", async (_what, change) => {
  const fleet = await openFleet();
  const { id } = (await post(fleet)).body.data.services[0];
  await change(fleet, id);
  await post(fleet);
  const listed = await fleet.as("viewer").call("services.list");
  const found = listed.find(({ code }) => code === service.code);
  expect(found).toMatchObject({ version: "1.0.0", status: "HEALTHY" });
});

test("the same bytes from another agent are refused, and accepted when the service is its own", async () => {
  const fleet = await openFleet();
  const other = await fleet.registerAgent("edge-2");
  const { id } = (await post(fleet)).body.data.services[0];
  const rejected = [{ code: service.code, reason: "SERVICE_CODE_TAKEN", agentCode: "edge-1" }];
  for (let time = 0; time < 2; time++) {
    expect((await post(fleet, sent, other)).body.data).toEqual({ services: [], rejected });
  }
  await fleet.move(other, service.code);
  const { data } = (await post(fleet, sent, other)).body;
  expect(data).toEqual({ services: [expect.objectContaining({ id })] });
  expect((await post(fleet)).body.data.services).toEqual([]);
});

test("the same bytes are refused as plain text and for another agent, in the path or in the body", async () => {
  const fleet = await openFleet();
  await post(fleet);
  const { request, agent } = fleet;
  const headers = { "content-type": "text/plain" };
  const asText = await request("POST", path, { bearer: agent.agentToken, body: sent, headers });
  expect(asText).toMatchObject(refused(415, "UNSUPPORTED_MEDIA_TYPE"));
  const { agentId } = await fleet.registerAgent("edge-2");
  const theirs = `/api/agents/${agentId}/services`;
  const asOther = await request("POST", theirs, { bearer: agent.agentToken, body: sent });
  expect(asOther).toMatchObject(refused(403, "FORBIDDEN"));
  const foreign = JSON.stringify({ agentId, services: [service] });
  for (let time = 0; time < 2; time++) {
    expect(await post(fleet, foreign)).toMatchObject(refused(403, "FORBIDDEN"));
  }
});
