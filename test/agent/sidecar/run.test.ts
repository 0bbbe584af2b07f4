// `platform agent run` in its own process.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/domain/payload/json.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { serveHttp } from "../../helpers/http/listen.ts";
import { until } from "../../helpers/process/process.ts";
import { startSidecar } from "../../helpers/process/sidecar.ts";
import { ended, registrationToken } from "../harness.ts";

function configOf(server: string, service: string, token: string): string {
  return `server: ${server}
agent: { code: edge-7 }
registrationToken: ${token}
stateDir: state
services:
  - code: web
    version: { http: { url: ${service}, pointer: /version }, timeout: 10m }
    health: { http: { url: ${service} }, interval: 0.05, timeout: 10m, failureThreshold: 2 }
    actions:
      - { name: hang, execute: { exec: { command: [sh, -c, "touch hangs; exec sleep 600"] } } }
  - code: jobs
    version: "1"
    actions:
      - name: greet
        inputSchema: { type: object, required: [name], properties: { name: { type: string } } }
        execute: { exec: { command: [printf, "%s", "hello \${payload.name}"] } }
`;
}

async function openHost() {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const folder = temporaryFolder();
  const serviceOf = async (code: string) =>
    (await operator.page("services.list", { query: { q: code } })).data[0]!;
  const execute = async (code: string, actionName: string, payload: JsonObject) => {
    const params = { serviceId: (await serviceOf(code)).id, actionName };
    return (await operator.call("actions.execute", { params, body: { payload } })).command!.id;
  };
  const newToken = () => registrationToken(server);
  return {
    server,
    operator,
    folder,
    file: join(folder, "agent.yaml"),
    serviceOf,
    execute,
    newToken,
  };
}

test("the sidecar registers, reports, runs actions, logs changes, recovers with a new token, and ends at once at the second signal", async () => {
  const { server, operator, file, folder, serviceOf, execute, newToken } = await openHost();
  let status = 200;
  const url = await serveHttp((_, response) => {
    response.writeHead(status).end(JSON.stringify({ version: "2.7.1" }));
  });
  writeFileSync(file, configOf(server.url, url, await newToken()));
  const agent = startSidecar(file);

  await agent.said("the agent is running");
  expect(agent.lines()[0]).toMatchObject({
    msg: `the agent edge-7 of ${server.url} manages web, jobs`,
    stateDir: join(folder, "state"),
  });
  expect(await serviceOf("web")).toMatchObject({ status: "HEALTHY", version: "2.7.1" });
  const greeted = await execute("jobs", "greet", { name: "Ada; exit 1" });
  expect(await ended(server, greeted)).toMatchObject({
    status: "SUCCEEDED",
    result: { output: "hello Ada; exit 1" },
  });
  await agent.logged({ type: "command.finished", action: "greet", errorCode: null });

  status = 500;
  await agent.logged({ type: "service.health", serviceCode: "web", before: "UP", status: "DOWN" });
  await until(
    "operators see the unhealthy status",
    async () => (await serviceOf("web")).status === "UNHEALTHY",
  );

  // The operator only needs to put a new token into the file, without a restart.
  writeFileSync(file, configOf(server.url, url, await newToken()));
  const { agentId } = await serviceOf("web");
  await operator.call("agents.revoke-token", { params: { agentId } });
  const refused = await agent.logged({ type: "refused", code: "UNAUTHORIZED" });
  expect(refused.msg).toContain(
    `The agent looks for its token in ${file}, registrationToken; a change takes effect without a restart.`,
  );
  await agent.logged({ type: "accepted" });
  expect(agent.lines().filter(({ type }) => type === "registered")).toHaveLength(2);

  const beside = await startSidecar(file).ended;
  expect(beside.status).toBe(5);
  expect(beside.stderr).toContain(
    `platform: Another agent is already using ${join(folder, "state")}. ` +
      "Stop that agent first, or give this one a state folder and a code of its own.\n",
  );

  await execute("web", "hang", {});
  await until("the action runs", () => existsSync(join(folder, "hangs")));
  agent.signal("SIGINT");
  await until("the agent is stopping", () => agent.stderr().includes("stopping"));
  agent.signal("SIGTERM");
  const end = await agent.ended;
  expect(end).toMatchObject({ status: 130, stdout: "" });
  expect(end.stderr).not.toMatch(/platform_(reg|agent)_\w/);
  expect(readFileSync(join(folder, "state/token.json"), "utf8")).toContain("platform_agent_");
});

test("an agent that cannot start says why and what to do", async () => {
  const { server, file, folder, newToken } = await openHost();
  writeFileSync(file, configOf(server.url, "http://127.0.0.1:1/", "{ file: token }"));
  const missing = await startSidecar(file).ended;
  expect(missing).toMatchObject({ status: 4, stdout: "" });
  expect(missing.stderr).toContain(
    `platform: There is no registration token: ${join(folder, "token")} cannot be read`,
  );
  expect(missing.stderr).toContain(". Create one with `platformctl tokens create`.\n");

  const used = await newToken();
  writeFileSync(join(folder, "token"), `${used.slice(0, -1)}${used.endsWith("0") ? "1" : "0"}\n`);
  const refused = await startSidecar(file).ended;
  expect(refused.status).toBe(4);
  expect(refused.stderr).toMatch(
    /platform: The server refused the registration: .* The agent looks for its token in the file token\.\n$/,
  );
  expect(refused.stderr).not.toContain(used.slice(0, -1));

  writeFileSync(join(folder, "token"), await newToken());
  const id = "agt_01M7ZK556E5YSERWHE95RRMDBM";
  writeFileSync(file, readFileSync(file, "utf8").replace("edge-7", id));
  const misnamed = await startSidecar(file).ended;
  expect(misnamed.status).toBe(4);
  expect(misnamed.stderr).toMatch(/choose a name\.\n$/);
});
