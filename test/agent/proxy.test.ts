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

test.each<[string, (url: string) => object]>([
  ["option", (proxy) => ({ proxy, env: { HTTP_PROXY: "http://127.0.0.1:1" } })],
  ["environment", (HTTP_PROXY) => ({ env: { HTTP_PROXY } })],
])(
  "an agent uses the proxy of its %s to register, report, poll and send results",
  async (_, options) => {
    const server = await listenTestApp({ ALLOWED_HOSTS: "agents.example" });
    const proxy = await startProxy(server.port);
    await startAgent(server, serviceWith({ execute: () => "done" }), {
      server: named,
      ...options(proxy.url),
    });
    expect(await ended(server, await execute(server))).toMatchObject({
      result: { output: "done" },
    });
    const asked = new Set(proxy.asked.map((line) => line.replace(/\?.*|cmd_\w+/g, "")));
    expect([...asked].slice(0, 4)).toEqual([
      `POST ${named}/api/agents/register`,
      `POST ${named}/api/agents/heartbeat`,
      `POST ${named}/api/agents/services`,
      `GET ${named}/api/agents/commands`,
    ]);
  },
);

test("a server on this host is called through a proxy only if an option sets it", async () => {
  const server = await listenTestApp();
  const proxy = await startProxy(server.port);
  await startAgent(server, [], { env: { HTTP_PROXY: proxy.url } });
  expect(proxy.asked).toEqual([]);
  await startAgent(server, [], { proxy: proxy.url });
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
