import { expect, test } from "vitest";
import { listenTestApp } from "../helpers/http/http.ts";
import { certificatePair } from "../helpers/http/https.ts";
import { startProxy } from "../helpers/http/proxy.ts";
import { listenInSight } from "../http/raw.ts";
import {
  ended,
  execute,
  fast,
  makeAgent,
  registrationToken,
  serviceWith,
  startAgain,
  startAgent,
  wireTo,
} from "./harness.ts";

const named = "http://agents.example";

test("an agent uses the proxy of its environment to register, report, poll and send results", async () => {
  const server = await listenTestApp({ ALLOWED_HOSTS: "agents.example" });
  const proxy = await startProxy(server.port);
  const env = { HTTP_PROXY: proxy.url };
  await startAgent(server, serviceWith({ execute: () => "done" }), { server: named, env });
  expect(await ended(server, await execute(server))).toMatchObject({ result: { output: "done" } });
  const asked = new Set(proxy.asked.map((line) => line.replace(/\?.*|cmd_\w+/g, "")));
  expect([...asked].slice(0, 4)).toEqual([
    `POST ${named}/api/agents/register`,
    `POST ${named}/api/agents/heartbeat`,
    `POST ${named}/api/agents/services`,
    `GET ${named}/api/agents/commands`,
  ]);
});

test("an option for the proxy takes precedence over the environment, and also applies to a server on this host", async () => {
  const server = await listenTestApp();
  const proxy = await startProxy(server.port);
  await startAgent(server, [], { env: { HTTP_PROXY: proxy.url } });
  expect(proxy.asked).toEqual([]);
  await startAgent(server, [], { proxy: proxy.url, env: { HTTP_PROXY: "http://127.0.0.1:1" } });
  expect(proxy.asked.length).toBeGreaterThan(0);
});

test("an unverified server causes a warning at the start and after each outage", async () => {
  const app = await listenTestApp();
  const wire = await wireTo(await listenInSight(app, { tls: certificatePair("self-signed") }));
  const url = wire.url.replace("http:", "https:");
  const timing = { ...fast, heartbeatSeconds: 0.05 };
  const token = await registrationToken(app);
  const options = { server: url, services: [], registrationToken: token, timing };
  const strict = makeAgent(options);
  const started = strict.agent.start().catch(() => undefined);
  expect((await strict.event("connection.lost")).message).toContain("is not trusted");
  await strict.agent.stop();
  await started;

  const loose = await startAgain({ ...options, insecureSkipTlsVerify: true });
  expect(loose.events[0]).toMatchObject({ type: "insecure", level: "warn" });
  expect(loose.events[0]?.message).toContain(url);
  wire.up = false;
  await loose.event("connection.lost");
  wire.up = true;
  await loose.event("connection.restored");
  expect(loose.events.filter(({ type }) => type === "insecure")).toHaveLength(2);
});
