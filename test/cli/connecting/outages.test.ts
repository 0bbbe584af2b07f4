// Waits continue after a pause if the server returns 429 or is away.

import type { ServerResponse } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { serveHttp as startAnyServer } from "../../helpers/http/listen.ts";
import { cli, failing } from "../world.ts";

const agentId = `agt_${"0".repeat(26)}`;
const agent = { id: agentId, code: "edge-1", token: {}, services: [], labels: {} };

/**
 * Starts a server. Each request for the agent returns the next status, or 429 for null. Later
 * requests get no response.
 */
async function startServer(looks: (string | null)[]) {
  const seen: { path: string; at: number }[] = [];
  const answer = (response: ServerResponse, status: number, body: object) => {
    response.writeHead(status, { "content-type": "application/json", "retry-after": "1" });
    response.end(JSON.stringify(body));
  };
  const url = await startAnyServer(({ url = "" }, response) => {
    const { pathname: path } = new URL(url, "http://localhost");
    seen.push({ path, at: performance.now() });
    const status = looks.shift();
    if (status === undefined) response.destroy();
    else if (status) answer(response, 200, { success: true, data: { ...agent, status } });
    else {
      const error = { code: "RATE_LIMITED", message: "Too many requests: slow down." };
      answer(response, 429, { success: false, error });
    }
  });
  return { url, seen };
}

test("a wait continues after the Retry-After of a 429, and then asks by id", async () => {
  const { url, seen } = await startServer(["OFFLINE", null, "ONLINE"]);
  const words = ["agents", "wait", "edge-1", "--server", url, "-o", "json"];
  const ran = await cli(words, { env: { API_KEY: "platform_key_x" } });
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout).status).toBe("ONLINE");
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

/** Waits for an agent. Each request takes 0.4 s, so the third one ends after the timeout. */
async function waitOneSecond(looks: (string | null)[]) {
  const { url, seen } = await startServer(looks);
  const clock = vi.spyOn(performance, "now").mockImplementation(() => seen.length * 400);
  onTestFinished(() => clock.mockRestore());
  const words = ["agents", "wait", "edge-1", "--timeout", "1s", "--server", url];
  return cli(words, { env: { API_KEY: "platform_key_x" } });
}

test("a wait that times out before the Retry-After has passed fails with the 429", async () => {
  const ran = await waitOneSecond(["OFFLINE", null, null]);
  expect(ran).toMatchObject(failing(1, "Too many requests"));
});

test("a wait fails if the server does not come back in time", async () => {
  const ran = await waitOneSecond(["OFFLINE"]);
  expect(ran).toMatchObject(failing(6, "retrying until the wait is over"));
});
