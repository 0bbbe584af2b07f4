import { expect, test } from "vitest";
import { createAgent } from "../../src/agent/index.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { ca, certificateFiles } from "../helpers/http/https.ts";
import { startProxy } from "../helpers/http/proxy.ts";
import { createToken } from "../helpers/process/operator.ts";
import { startServer } from "../helpers/process/process.ts";
import {
  ended,
  execute,
  fast,
  makeAgent,
  serviceWith,
  startAgain,
  startAgent,
  wireTo,
} from "./harness.ts";

const named = "http://agents.example";

function listenAsNamed(): Promise<ListeningApp> {
  return listenTestApp({ ALLOWED_HOSTS: "agents.example" });
}

test.each<[string, (url: string) => object]>([
  ["option", (proxy) => ({ proxy, env: { HTTP_PROXY: "http://127.0.0.1:1" } })],
  ["environment", (HTTP_PROXY) => ({ env: { HTTP_PROXY } })],
])(
  "an agent uses the proxy of its %s to register, report, poll and send results",
  async (_, options) => {
    const server = await listenAsNamed();
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

test("environment proxies are not used for hosts in NO_PROXY or for a server on this host", async () => {
  const server = await listenTestApp();
  const proxy = await startProxy(server.port);
  const env = { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url };
  await startAgent(server, [], { env });
  expect(proxy.asked).toEqual([]);
  // A proxy set as an option is used for this host too.
  await startAgent(server, [], { proxy: proxy.url });
  expect(proxy.asked.length).toBeGreaterThan(0);
  const straight = makeAgent({
    server: "http://agents.invalid",
    env: { ...env, NO_PROXY: "agents.invalid" },
    services: [],
    registrationToken: "x",
  });
  const started = straight.agent.start().catch(() => undefined);
  expect((await straight.event("connection.lost")).message).toMatch(
    /no such host|cannot be resolved/,
  );
  await straight.agent.stop();
  await started;
});

test.each([
  [{ proxy: "socks5://p.example" }, "proxy must be a URL like"],
  [{ env: { https_proxy: "http://me:50%@p.example" } }, "https_proxy must be a URL like"],
  [{ ca, insecureSkipTlsVerify: true }, "set only one of them"],
])("unusable options are refused, case %#", (options, message) => {
  const agent = { code: "edge-1", mode: "embedded" };
  const right = { server: "https://agents.example", agent, stateDir: temporaryFolder() };
  expect(() => createAgent({ ...right, ...options })).toThrow(message);
  expect(() => createAgent({ ...right, ...options })).not.toThrow("50%");
});

test("an unverified server causes a warning at the start and after each outage", async () => {
  const { certFile, keyFile } = certificateFiles("self-signed");
  const tls = { PLATFORM_TLS_CERT_FILE: certFile, PLATFORM_TLS_KEY_FILE: keyFile };
  const server = await startServer({ env: tls });
  const registrationToken = await createToken(server);
  const wire = await wireTo({ port: Number(new URL(server.url).port) });
  const url = wire.url.replace("http:", "https:");
  const timing = { ...fast, heartbeatSeconds: 0.05 };
  const options = { server: url, services: [], registrationToken, timing };
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
