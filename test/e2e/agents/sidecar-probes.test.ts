// Tests how soon operators see the changed results of a sidecar's probes.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listenTestApp } from "../../helpers/http/http.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { isAlive } from "../../helpers/process/alive.ts";
import { until } from "../../helpers/process/process.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

test("operators see a change immediately, and stopping leaves no program behind", async () => {
  const server = await listenTestApp();
  let status = 200;
  let version = "1.0.0";
  const url = await serveHttp((_, response) => {
    response.writeHead(status).end(JSON.stringify({ version }));
  });
  const services = [
    {
      code: "shop",
      version: { http: { url, pointer: "/version" }, interval: 0.05, timeout: 20 },
      health: { http: { url }, interval: 0.1, timeout: 20, failureThreshold: 2 },
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
        ...{ interval: 0.1, timeout: 0.2 },
      },
    },
  ];
  const operator = server.as("operator");
  const config = await agentFile(server, operator, { services });
  const folder = dirname(config);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("app.yaml", "port: 1\npassword: s3cret\n");
  const sidecar = startSidecar(config);
  const shop = async () => {
    const { data } = await operator.page("services.list");
    const found = data.find(({ code }) => code === "shop");
    if (!found) return null;
    return operator.call("services.get", { params: { serviceId: found.id } });
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
