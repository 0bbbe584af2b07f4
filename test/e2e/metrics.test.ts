// Tests the metrics that need a real server: the event loop delay, and counters after a restart.

import { expect, test } from "vitest";
import { createKey, createToken } from "../helpers/process/operator.ts";
import {
  callAs,
  registerAgent,
  type Server,
  send,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { parsePrometheus, sampleOf } from "../helpers/programs/prometheus.ts";

async function scrape({ url }: Server, key: string) {
  const headers = { authorization: `Bearer ${key}` };
  const answer = await fetch(`${url}/api/admin/metrics/prometheus`, { headers });
  expect(answer.status).toBe(200);
  return parsePrometheus(await answer.text());
}

test("counters survive a restart; metrics and diagnostics have the event loop delay", async () => {
  const first = await startServer();
  const key = await createKey(first);
  const service = { code: "s", name: "S", version: "1", actions: [{ name: "run" }] };
  const agent = await registerAgent(first.url, await createToken(first), "edge-1", [service]);
  const bearer = { bearer: key };
  const listed = await send(first.url, "GET", "/api/admin/capsule-services", bearer);
  const action = `/api/admin/capsule-services/${listed.body.data[0].id}/actions/run`;
  const { body } = await send(first.url, "POST", action, { ...bearer, body: {} });
  const { id } = body.data.command;
  const polled = await agent.call("GET", "/commands?wait=60");
  expect(polled.body.data.commands).toMatchObject([{ id }]);
  expect((await agent.call("POST", `/commands/${id}/result`, { success: true })).status).toBe(200);

  const delay = "platform_event_loop_delay_seconds";
  const before = await until("the event loop delay was measured", async () => {
    const families = await scrape(first, key);
    return (sampleOf(families, `${delay}_count`) ?? 0) > 0 ? families : null;
  });
  // The timer of the measurement causes a delay above zero.
  expect(sampleOf(before, delay, { quantile: "0.99" })).toBeGreaterThan(0);
  const polls = "platform_agent_command_polls_total";
  expect(sampleOf(before, polls)).toBe(1);
  expect((await first.stop()).status).toBe(0);

  const second = await startServer({ dataDir: first.dataDir });
  const after = await scrape(second, key);
  expect(sampleOf(after, "platform_commands_completed_total")).toBe(1);
  expect(sampleOf(after, polls)).toBe(1);
  await callAs(second.url, agent.agentToken)("GET", "/commands?wait=0");
  expect(sampleOf(await scrape(second, key), polls)).toBe(2);
  const { data } = (await send(second.url, "GET", "/api/admin/diagnostics", bearer)).body;
  expect(data).toMatchObject({
    process: { pid: expect.any(Number) },
    database: { fileName: "platform.db" },
    eventLoopDelay: { p99Ms: expect.any(Number) },
  });
});
