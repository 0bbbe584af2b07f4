// `platform agent run` as a process of its own, beside a real server: what operators see of it, what it
// logs, how it ends, and how it comes back.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cli } from "../../cli/world.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import {
  logLines,
  type Program,
  type Server,
  startProgram,
  startServer,
  until,
} from "../../helpers/process/process.ts";

/** A service that is as well as `status` says. */
async function openService() {
  const service = { status: 200, url: "" };
  const http = createServer((_, answer) => {
    answer.writeHead(service.status, { "content-type": "application/json" });
    answer.end(JSON.stringify({ version: "2.7.1" }));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void http.close());
  service.url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  return service;
}

function configOf(server: string, service: string, token: string): string {
  return `server: ${server}
agent: { code: edge-7 }
registrationToken: ${token}
stateDir: state
services:
  - code: web
    version: { http: { url: ${service}, pointer: /version } }
    health: { http: { url: ${service} }, interval: 0.05, failureThreshold: 2 }
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

interface Host {
  server: Server;
  file: string;
  folder: string;
  ctl(...words: string[]): Promise<unknown>;
  newToken(): Promise<string>;
}

async function openHost(): Promise<Host> {
  const server = await startServer();
  const folder = temporaryFolder();
  const ctl: Host["ctl"] = async (...words) => {
    const ran = await cli([...words, "--db", server.file, "-o", "json"]);
    return JSON.parse(ran.status === 0 ? ran.stdout : ran.stderr);
  };
  const newToken = async () => ((await ctl("tokens", "create")) as { token: string }).token;
  return { server, folder, file: join(folder, "agent.yaml"), ctl, newToken };
}

const runAgent = (file: string): Program =>
  startProgram("platform", ["agent", "run", "--config", file]);

/** The first line of its log with these fields. */
function logged(agent: Program, fields: Record<string, unknown>) {
  return until(`it logs ${JSON.stringify(fields)}`, () => {
    if (!agent.running()) throw new Error(`the agent has ended: ${agent.stderr()}`);
    return logLines(agent.stderr()).find((line) =>
      Object.entries(fields).every(([name, value]) => line[name] === value),
    );
  });
}

test("it registers, reports, acts, tells of changes, comes back with a new token, and ends", {
  timeout: 60_000,
}, async () => {
  const { server, file, folder, ctl, newToken } = await openHost();
  const service = await openService();
  writeFileSync(file, configOf(server.url, service.url, await newToken()));
  const agent = runAgent(file);

  await logged(agent, { msg: "the agent is running" });
  const [first] = logLines(agent.stderr());
  expect(first).toMatchObject({
    msg: `the agent edge-7 of ${server.url} manages web, jobs`,
    stateDir: join(folder, "state"),
  });
  expect(await ctl("services", "get", "web")).toMatchObject({
    status: "HEALTHY",
    version: "2.7.1",
  });
  const greeted = ["actions", "run", "jobs", "greet", "--set", "name=Ada; exit 1", "--yes"];
  expect(await ctl(...greeted)).toMatchObject({
    status: "SUCCEEDED",
    result: { output: "hello Ada; exit 1" },
  });
  await logged(agent, { type: "command.finished", action: "greet", errorCode: null });

  service.status = 500;
  await logged(agent, { type: "service.health", serviceCode: "web", before: "UP", status: "DOWN" });
  await until("operators see it", async () => {
    const { status } = (await ctl("services", "get", "web")) as { status: string };
    return status === "UNHEALTHY";
  });

  // An operator puts a new token into the file, and need not start the agent again.
  writeFileSync(file, configOf(server.url, service.url, await newToken()));
  await ctl("agents", "revoke-token", "edge-7", "--yes");
  const refused = await logged(agent, { type: "refused", code: "UNAUTHORIZED" });
  expect(refused.msg).toContain(
    `It looks for its token in ${file}, registrationToken; a change is noticed.`,
  );
  await logged(agent, { type: "accepted" });
  expect(logLines(agent.stderr()).filter(({ type }) => type === "registered")).toHaveLength(2);

  await ctl("actions", "run", "web", "hang", "--detach", "--yes");
  await until("the action runs", () => existsSync(join(folder, "hangs")));
  agent.signal("SIGTERM");
  await until("it stops", () => agent.stderr().includes("stopping"));
  agent.signal("SIGTERM");
  const ended = await agent.ended;
  expect(ended).toMatchObject({ status: 130, stdout: "" });
  expect(ended.stderr).not.toMatch(/platform_(reg|agent)_\w/);

  const again = runAgent(file);
  await logged(again, { msg: "the agent is running" });
  expect(again.stderr()).not.toContain('"registered"');
  const beside = await runAgent(file).ended;
  expect(beside.status).toBe(5);
  expect(beside.stderr).toContain(
    `platform: Another agent is already using ${join(folder, "state")}.\n`,
  );
  again.signal("SIGINT");
  expect(await again.ended).toMatchObject({ status: 0, stdout: "" });
  expect(readFileSync(join(folder, "state/token.json"), "utf8")).toContain("platform_agent_");
});

test("what cannot start says why, and what to do", async () => {
  const { server, file, folder, newToken } = await openHost();
  const good = configOf(server.url, "http://127.0.0.1:1/", "{ file: token }");
  writeFileSync(file, good);
  const missing = await runAgent(file).ended;
  expect(missing).toMatchObject({ status: 4, stdout: "" });
  expect(missing.stderr).toContain(
    `platform: There is no registration token: ${join(folder, "token")} cannot be read`,
  );
  expect(missing.stderr).toContain(". Create one with `platformctl tokens create`.\n");

  const used = await newToken();
  writeFileSync(join(folder, "token"), `${used.slice(0, -1)}${used.endsWith("0") ? "1" : "0"}\n`);
  const refused = await runAgent(file).ended;
  expect(refused.status).toBe(4);
  expect(refused.stderr).toMatch(
    /platform: The server refused the registration: .* It looks for its token in the file token\.\n$/,
  );
  expect(refused.stderr).not.toContain(used.slice(0, -1));

  writeFileSync(file, good.replace("code: edge-7", "code: edge 7").replace("stateDir", "statedir"));
  const wrong = await runAgent(file).ended;
  expect(wrong).toEqual({
    status: 2,
    signal: null,
    stdout: "",
    stderr:
      `platform: ${file}:1: stateDir: is missing\n` +
      `  ${file}:2: agent.code: must begin with a letter or digit and hold only letters, digits and . _ : -\n` +
      `  ${file}:4: statedir: unknown field; did you mean stateDir?\n`,
  });
});
