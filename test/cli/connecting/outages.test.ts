// Waits continue after a pause if the server returns 429.

import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { serveHttp as startAnyServer } from "../../helpers/http/listen.ts";
import { cli, failing } from "../world.ts";

const agentId = `agt_${"0".repeat(26)}`;
const known = { id: agentId, code: "edge-1", status: "ONLINE" };
const agent = { ...known, token: {}, services: [], labels: {} };

/** Each request for the agent returns the next heartbeat, or 429 for null. */
async function startServer(looks: (string | null)[]) {
  const seen: { path: string; at: number }[] = [];
  const answer = (response: ServerResponse, status: number, body: object) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after": "1" });
    response.end(JSON.stringify(body));
  };
  const url = await startAnyServer(({ url = "" }, response) => {
    const { pathname: path } = new URL(url, "http://localhost");
    seen.push({ path, at: performance.now() });
    const lastHeartbeatAt = looks.shift();
    if (lastHeartbeatAt) {
      answer(response, 200, { success: true, data: { ...agent, lastHeartbeatAt } });
    } else {
      const error = { code: "RATE_LIMITED", message: "Too many requests: slow down." };
      answer(response, 429, { success: false, error });
    }
  });
  return { url, seen };
}

const [before, after] = ["2026-01-01T00:00:00.000Z", "2026-01-01T00:00:10.000Z"];

test("a wait continues after the Retry-After of a 429, and then asks by id", async () => {
  const { url, seen } = await startServer([before, null, after]);
  const words = ["agents", "wait", "edge-1", "--server", url, "-o", "json"];
  const ran = await cli(words, { env: { API_KEY: "platform_key_x" } });
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout).lastHeartbeatAt).toBe(after);
  expect(JSON.parse(ran.stderr)).toEqual({
    note: {
      code: "TRYING_AGAIN",
      message: "Too many requests: slow down; retrying until the wait is over.",
    },
  });
  const asked = seen.map(({ path }) => path.slice("/api/admin/agents/".length));
  expect(asked).toEqual(["edge-1", agentId, agentId]);
  expect(seen[2]!.at - seen[1]!.at).toBeGreaterThan(990);
});

test("a wait that times out before the Retry-After has passed fails with the 429", async () => {
  const { url } = await startServer([before, null, null]);
  const words = ["agents", "wait", "edge-1", "--timeout", "1s", "--server", url];
  const ran = await cli(words, { env: { API_KEY: "platform_key_x" } });
  expect(ran).toMatchObject(failing(1, "Too many requests"));
});
