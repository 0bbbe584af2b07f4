// Tests `platform bench` with real processes: the measurement, Ctrl-C, a restart of the server, and
// that nothing is left on the server. test/cli/bench/cleanup.test.ts tests every state that a killed run
// can leave.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  agentCode,
  benchLabel,
  reportedService,
  tokenName,
} from "../../src/cli/commands/bench/load/names.ts";
import type { Client } from "../../src/client/client.ts";
import { cli } from "../cli/world.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { descendantsOf, isAlive } from "../helpers/process/alive.ts";
import { createKey, operatorOf } from "../helpers/process/operator.ts";
import {
  type CommandOptions,
  type Program,
  type Server,
  send,
  startProgram,
  startServer,
  until,
} from "../helpers/process/process.ts";
import { isLong, size } from "../helpers/size.ts";

const env = {
  PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "1",
  PLATFORM_CAPSULE_BUS_ENABLED: "true",
};

const agents = size(6, 20);

test("a run reports and deletes its agents", async () => {
  const server = await serveInProcess(env);
  const operator = await operatorOf(server);
  const page = join(temporaryFolder(), "report.html");
  const flags = ["--actions", "20", "--events", "5", "--processes", "2", "--html", page];
  const measure = async (seconds: number) => {
    const words = ["--duration", `${seconds}s`, ...flags, "-o", "json"];
    const { status, stderr, stdout } = await (await startBench(server, words)).ended;
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  let report = await measure(2);
  const isMeasured = () =>
    report.dispatch.p50Ms !== null &&
    report.events.p99Ms !== null &&
    report.heartbeats.perSecond > 0;
  // On a slow machine, it can take longer until each kind of call has been measured.
  while (!isMeasured()) report = await measure(9);
  // test/cli/bench/report.test.ts tests the other figures.
  expect(report).toMatchObject({
    summary: "No estimate: it needs a measurement of at least 10 s.",
    run: { server: server.url, sameHost: true, otherAgents: 0, interrupted: false },
    agents: { wanted: agents, held: agents, heldByServer: expect.any(Number) },
    dispatch: { p50Ms: expect.any(Number), clock: expect.stringContaining("one monotonic clock") },
    events: { p99Ms: expect.any(Number) },
    server: { restarts: 0, limitsReached: {} },
    generator: { processes: 2 },
    outages: [],
    estimate: null,
  });
  const html = readFileSync(page, "utf8");
  expect(html).toContain(report.summary);
  expect(html).not.toMatch(/<(?:script|link|img)|\bsrc=|url\(/);
  await expectNothingLeft(operator);
});

test("Ctrl-C while agents register deletes those that have registered, and ends the load process", async () => {
  // With this limit, not all agents can register before the test's time is over.
  const server = await serveInProcess({ PLATFORM_MAX_REQUESTS_PER_SECOND: "8" });
  const operator = await operatorOf(server);
  const bench = await startBench(server, ["--agents", "1000", "--actions", "0.1"], { group: true });
  await until("an agent has registered", async () => (await operator.call("agents.list")).length);
  const load = descendantsOf(bench.pid).map(({ pid }) => pid);
  expect(load).toHaveLength(1);
  // A terminal interrupts the whole process group.
  process.kill(-bench.pid, "SIGINT");
  const { status, stderr, stdout } = await bench.ended;
  expect({ status, stdout }).toEqual({ status: 130, stdout: "" });
  expect(stderr).toMatch(/^Registering 1000 agents .*\nplatform: interrupted\n$/);
  expect(load.filter(isAlive)).toEqual([]);
  await expectNothingLeft(operator);
});

test("an agent that a killed run has left blocks the next run until --clean", async () => {
  const server = await listenTestApp();
  const [operator, key] = [server.as("operator"), await server.apiKey("operator")];
  const code = agentCode("aaaaaaaa", 1);
  const body = { name: tokenName("aaaaaaaa"), agentCode: code };
  const { token } = await operator.call("registration-tokens.create", { body });
  const labels = { [benchLabel.key]: benchLabel.value };
  const agent = { code, mode: "bench", labels };
  const services = [{ code, ...reportedService }];
  const left = { body: { registrationToken: token, agent, services } };
  expect(await server.request("POST", "/api/agents/register", left)).toMatchObject({ status: 201 });
  const next = await bench(server.url, key, "--duration", "1s");
  expect(next).toMatchObject({ status: 5, stdout: "" });
  expect(next.stderr).toContain("still has 1 agent of an earlier bench");
  expect(next.stderr).toContain("platform bench --clean");
  const cleaned = await bench(server.url, key, "--clean", "-o", "json");
  expect(cleaned).toMatchObject({ status: 0, stderr: "" });
  expect(JSON.parse(cleaned.stdout)).toEqual({ deleted: { agents: 1, registrationTokens: 1 } });
  await expectNothingLeft(operator);
});

test.runIf(isLong)(
  "agents come back after a restart of the server, and the report says how long it took",
  async () => {
    const server = await startServer({ env });
    const operator = await operatorOf(server);
    const port = Number(new URL(server.url).port);
    const bench = await startBench(server, ["--duration", "10m", "-o", "json"]);
    await until("an action has run", async () => (await resultsOn(operator)) > 0);
    await server.kill();
    const again = await startServer({ dataDir: server.dataDir, port, env });
    const key = await createKey(again);
    await until("all are held", async () => (await heldOn(again, key)) === agents, 40_000);
    // By the time that it has run more actions, the bench has noticed the restart.
    const before = await resultsOn(operator);
    await until("actions run again", async () => (await resultsOn(operator)) > before + 2, 30_000);
    bench.signal("SIGINT");
    const { status, stdout } = await bench.ended;
    expect(status).toBe(130);
    const { errors, gaveOutFirst, outages, server: use } = JSON.parse(stdout);
    expect(outages[0]).toMatchObject({ fewest: 0, allBackAfterSeconds: expect.any(Number) });
    expect(use.restarts).toBe(1);
    expect(errors.total).toBeGreaterThan(0);
    expect(gaveOutFirst.what).toBe("connection");
    await expectNothingLeft(operator);
  },
);

test("a server with other agents, a viewer and settings that are too low are refused", async () => {
  const server = await listenTestApp({ MAX_CONNECTIONS: "22" });
  const refused = async (words: string[], role: "operator" | "viewer" = "operator") =>
    bench(server.url, await server.apiKey(role), "--agents", "12", ...words);
  expect(await refused([])).toMatchObject({
    status: 5,
    stderr: expect.stringMatching(/ agents can need \d+: raise PLATFORM_MAX_CONNECTIONS /),
  });
  expect(await refused(["--events", "1"])).toMatchObject({
    status: 5,
    stderr: expect.stringContaining("PLATFORM_CAPSULE_BUS_ENABLED=true"),
  });
  expect(await refused([], "viewer")).toMatchObject({
    status: 4,
    stderr: expect.stringContaining("it needs the operator or owner role; "),
  });
  await server.registerAgent("edge-1");
  expect(await refused([])).toMatchObject({
    status: 5,
    stderr: expect.stringMatching(/has 1 agent that no bench has created.*--among-others/),
  });
  expect(await refused(["--among-others"])).toMatchObject({
    stderr: expect.stringContaining("PLATFORM_MAX_CONNECTIONS"),
  });
});

/** Runs `platform bench` in this process, for runs that measure nothing. */
function bench(url: string, key: string, ...words: string[]) {
  const all = ["bench", "--server", url, "--agents", String(agents), ...words];
  return cli(all, { env: { API_KEY: key }, io: { program: "platform" } });
}

async function startBench(
  server: Pick<Server, "url" | "file">,
  words: string[],
  options: CommandOptions = {},
): Promise<Program> {
  const key = await createKey(server);
  const all = ["bench", "--server", server.url, "--agents", String(agents), ...words];
  return startProgram("platform", all, { env: { PLATFORM_API_KEY: key }, ...options });
}

/** Returns how many actions have succeeded. */
async function resultsOn(operator: Client): Promise<number> {
  const query = { status: ["SUCCEEDED" as const] };
  return (await operator.page("commands.list", { query })).pagination.total;
}

/** Returns how many long polls the server holds. */
async function heldOn({ url }: Server, bearer: string): Promise<number> {
  const { body } = await send(url, "GET", "/api/admin/diagnostics", { bearer });
  return body.data.queues.heldPolls;
}

async function expectNothingLeft(client: Client): Promise<void> {
  expect(await client.call("agents.list")).toEqual([]);
  expect(await client.call("services.list")).toEqual([]);
  expect(await client.call("registration-tokens.list")).toEqual([]);
}
