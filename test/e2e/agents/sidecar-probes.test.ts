// Tests which results of a sidecar's probes operators see, and how soon they see changes.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { stringify } from "yaml";
import { stuckPort } from "../../agent/sidecar/services.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import { freePort, serveHttp, serveTcp } from "../../helpers/http/listen.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import { until } from "../../helpers/process/process.ts";
import { type Sidecar, startSidecar } from "../../helpers/process/sidecar.ts";

/** For services that respond, even on a busy machine. */
const patient = { interval: 0.1, timeout: 20 };
/** For services that hang. */
const hasty = { interval: 0.1, timeout: 0.2 };

async function start(server: ListeningApp, folder: string, services: object[]): Promise<Sidecar> {
  const file = join(folder, "agent.yaml");
  const agent = { code: "edge-1" };
  writeFileSync(file, stringify({ server: server.url, agent, stateDir: "state", services }));
  const { token } = await server.as("operator").call("registration-tokens.create", { body: {} });
  return startSidecar(file, { PLATFORM_REGISTRATION_TOKEN: token });
}

/** Returns the status, health and message of each service, by code. */
async function seen(server: ListeningApp): Promise<Record<string, string>> {
  const { data } = await server.as("operator").page("services.list");
  return Object.fromEntries(
    data.map(({ code, status, healthStatus, healthMessage }) => {
      return [code, `${status} ${healthStatus}: ${healthMessage}`];
    }),
  );
}

test("operators see the result of each kind of probe: healthy, failing or hanging", async () => {
  const server = await listenTestApp();
  const url = await serveHttp((request, response) => {
    if (request.url === "/hangs") return;
    if (request.url === "/busy") response.writeHead(503).end();
    else response.end('{"status":"ok"}');
  });
  const [open, closed, stuck] = [await serveTcp(), await freePort(), await stuckPort()];
  const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });
  const late = "UNHEALTHY DOWN: no answer within 0.2 s";
  const table: [code: string, health: object, seen: string][] = [
    [
      "http-healthy",
      { http: { url: `${url}/ok`, pointer: "/status", equals: "ok" }, ...patient },
      'HEALTHY UP: HTTP 200, /status is "ok"',
    ],
    [
      "http-failing",
      { http: { url: `${url}/busy` }, ...patient },
      "UNHEALTHY DOWN: HTTP 503, expected 200–299",
    ],
    ["http-hanging", { http: { url: `${url}/hangs` }, ...hasty }, late],
    [
      "tcp-healthy",
      { tcp: { port: open }, ...patient },
      `HEALTHY UP: 127.0.0.1:${open} accepts connections`,
    ],
    [
      "tcp-failing",
      { tcp: { port: closed }, ...patient },
      `UNHEALTHY DOWN: 127.0.0.1:${closed}: connection refused`,
    ],
    ["tcp-hanging", { tcp: { port: stuck }, ...hasty }, late],
    ["exec-healthy", { ...sh("echo fine"), ...patient }, "HEALTHY UP: fine"],
    [
      "exec-failing",
      { ...sh("echo trouble >&2; exit 3"), ...patient },
      "UNHEALTHY DOWN: exit status 3: trouble",
    ],
    ["exec-hanging", { ...sh("sleep 600"), ...hasty }, late],
  ];
  const services = table.map(([code, health]) => ({ code, version: "1.0.0", health }));
  const sidecar = await start(server, temporaryFolder(), services);
  const expected = Object.fromEntries(table.map(([code, , text]) => [code, text]));
  // On a busy machine, the first report may not contain all results.
  const all = await until("all probes have been reported", async () => {
    const now = await seen(server);
    const isAll = Object.keys(now).length === table.length;
    return isAll && !Object.values(now).some((text) => text.includes("UNKNOWN")) && now;
  });
  expect(all, sidecar.stderr()).toEqual(expected);
});

test("operators see a change immediately, and stopping leaves no program behind", async () => {
  const server = await listenTestApp();
  const folder = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  let status = 200;
  let version = "1.0.0";
  const url = await serveHttp((_, response) => {
    response.writeHead(status).end(JSON.stringify({ version }));
  });
  write("app.yaml", "port: 1\npassword: s3cret\n");
  const sidecar = await start(server, folder, [
    {
      code: "shop",
      version: { http: { url, pointer: "/version" }, interval: 0.05, timeout: 20 },
      health: { http: { url }, ...patient, failureThreshold: 2 },
      configs: [
        { key: "port", file: { path: "app.yaml", pointer: "/port" } },
        { key: "host", file: { path: "app.yaml", pointer: "/host" } },
        { key: "key", sensitive: true, file: { path: "app.yaml", pointer: "/password" } },
      ],
    },
    {
      code: "stuck",
      version: "1.0.0",
      health: {
        exec: { command: ["/bin/sh", "-c", "echo $$ >>pids; trap '' TERM; sleep 600; sleep 600"] },
        ...hasty,
      },
    },
  ]);
  const shop = async () => {
    const { data } = await server.as("operator").page("services.list");
    const found = data.find(({ code }) => code === "shop");
    if (!found) return null;
    const params = { serviceId: found.id };
    return server.as("operator").call("services.get", { params });
  };
  const reported = (what: string, is: (one: Service) => boolean) =>
    until(what, async () => {
      const one = await shop();
      return one && is(one) ? one : null;
    });
  type Service = NonNullable<Awaited<ReturnType<typeof shop>>>;

  const first = await reported(
    "the first report",
    (one) => one.healthStatus === "UP" && one.version === "1.0.0",
  );
  expect(first).toMatchObject({ status: "HEALTHY", healthMessage: "HTTP 200" });
  const file = `file ${join(folder, "app.yaml")}`;
  expect(first.configs).toMatchObject([
    { key: "port", type: "number", valuePreview: 1, source: `${file}#/port` },
    { key: "host", type: "unknown", source: `${file}#/host: it has no such value` },
    { key: "key", sensitive: true, source: `${file}#/password` },
  ]);
  expect(JSON.stringify(first)).not.toContain("s3cret");

  // The regular report, every 30 s, would be too late.
  write("app.yaml", "port: 2\n");
  status = 500;
  const failing = await reported("the failure", ({ healthStatus }) => healthStatus === "DOWN");
  expect(failing).toMatchObject({ healthMessage: "HTTP 500, expected 200–299", version: "1.0.0" });
  expect(failing.configs[0]).toMatchObject({ valuePreview: 2 });
  version = "2.0.0";
  status = 200;
  await reported("the recovery", (one) => one.healthStatus === "UP" && one.version === "2.0.0");

  sidecar.signal("SIGTERM");
  expect((await sidecar.ended).status).toBe(0);
  const pids = readFileSync(join(folder, "pids"), "utf8").trim().split("\n");
  expect(pids.filter((pid) => isAlive(Number(pid)))).toEqual([]);
});
