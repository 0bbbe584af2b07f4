// Tests docs/examples/agent.sh, an agent written in shell, with a real server.

import { spawnSync } from "node:child_process";
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";
import { problemOfNumbers } from "../../../src/lib/json/exact-numbers.ts";
import { wireTo } from "../../agent/harness.ts";
import { runningClock, temporaryFolder, testClock } from "../../helpers/app.ts";
import { frontOf, refusal } from "../../helpers/http/front.ts";
import { type ListeningApp, listenTestApp } from "../../helpers/http/http.ts";
import {
  callAs,
  cleanEnv,
  type Program,
  registerAgent,
  startCommand,
  until,
} from "../../helpers/process/process.ts";
import { folderWith, pathWith } from "../../helpers/programs/own-program.ts";
import { isLong, size } from "../../helpers/size.ts";

const agentScript = join(import.meta.dirname, "../../../docs/examples/agent.sh");

/** The shells of this machine. `sh` is usually one of the others, and is then left out. */
const shells = distinct(["sh", "dash", "busybox sh", "bash --posix", "yash"]);

/** Text that breaks scripts that parse JSON with regular expressions. */
const nasty: Json = [
  'a "quoted" word, \\ and \\" and a ] } , [ { : of no meaning',
  '"},{"id":"cmd_0","payload":{"a":1}}',
  "$(touch stolen) `touch stolen` ; touch stolen & | > stolen ' '' %s %d * ~ !!",
  "line\nfeed\r\ttab\u0000\u0001\u001b[31m\u007f\u2028",
  "ünïcödé 😀 \ud83d 漢字",
  "",
  [[], {}, [[{}]], null, true, -1.5e-7, 9007199254740991],
  { id: "cmd_1", payload: { payload: {} }, commands: [], action: "rm", "": 1, 'a"b': "c\\" },
];

test("the agent has at most 100 lines", () => {
  const lines = readFileSync(agentScript, "utf8").trimEnd().split("\n");
  expect(lines.length).toBeLessThanOrEqual(100);
});

test.each(shells)("the agent in %s registers, is HEALTHY, and echoes any text", async (shell) => {
  const { server, operator } = await openApp();
  const { agent, folder } = await startAgent(server, operator, { shell: shell.split(" ") });
  const service = await serviceOf(operator, "shell-1-echo");
  expect(service).toMatchObject({ status: "HEALTHY", version: "1.0.0" });
  // The fields have no names that look like secrets, because the server would redact them.
  const numRuns = size(50, 200);
  const samples = fc.sample(fc.jsonValue({ maxDepth: 4 }), { numRuns, seed: 4 }) as Json[];
  // The server refuses numbers that JavaScript would round.
  const random = samples.filter((sample) => problemOfNumbers(sample) === null);
  const large = '\\"{'.repeat(20_000);
  for (const payload of [{ nasty, random, large }, {}]) {
    const command = await run(operator, payload);
    expect(command).toMatchObject({ status: "SUCCEEDED", deliveries: 1 });
    expect(command.result?.output).toEqual(JSON.parse(JSON.stringify(payload)));
  }
  // The agent cannot compare states, so it gets no command that depends on a state.
  const params = { serviceId: service.id, actionName: "echo" };
  const prepared = await operator.call("actions.prepare", { params });
  expect(prepared).toMatchObject({ currentState: null, canPlan: false });
  expect(readdirSync(folder)).toEqual(["state"]);
  expect(agent.stderr()).not.toMatch(/refused|not found|error/i);
});

test("the agent survives an outage of the server", async () => {
  const { server, operator } = await openApp();
  const wire = await wireTo(server);
  // Where curl is missing, all tests use its replacement. Long runs use it here on every machine.
  const env = isLong ? { PATH: [folderWith("curl"), cleanEnv().PATH].join(":") } : {};
  const { agent } = await startAgent(wire, operator, { env });
  await serviceOf(operator, "shell-1-echo");
  wire.up = false;
  await until("the agent reports the lost connection", () =>
    agent.stderr().includes("no success (000)"),
  );
  wire.up = true;
  expect(await run(operator, { nasty })).toMatchObject({ status: "SUCCEEDED" });
  expect(agent.stderr().match(/no success/g)).toHaveLength(1);
});

test.each([
  ["a refusal by a proxy, whatever its status,", 404, "404 page not found"],
  ["a timeout of the request", 408, refusal("UNAVAILABLE")],
  ["a refusal that does not concern the result", 403, refusal("FORBIDDEN")],
])("%s does not make the agent drop a result", async (_, status, body) => {
  const { server, operator } = await openApp();
  const front = await frontOf(server, /\/result$/, [status, body], { retryAfter: 0 });
  await startAgent({ url: front.url }, operator);
  await serviceOf(operator, "shell-1-echo");
  expect(await run(operator, {})).toMatchObject({ status: "SUCCEEDED", deliveries: 1 });
});

test("TERM and Ctrl-C end the agent during a poll or while a call starts; it restarts without a new token", async () => {
  const { server, operator } = await openApp();
  const first = await startAgent(server, operator);
  await run(operator, {});
  const state = join(first.folder, "state");
  // The agent removes the command's file once the server has the result.
  await until("the command's file is gone", () => commandFiles(state).length === 0);
  expect(statSync(join(state, "token")).mode & 0o777).toBe(0o600);
  for (const name of readdirSync(state)) {
    expect([name, statSync(join(state, name)).mode & 0o077]).toEqual([name, 0]);
  }
  first.agent.signal("SIGTERM");
  expect(await first.agent.ended).toMatchObject({ status: 0 });
  // The server's clock stands still, so only curl's time limit could have ended the poll.
  expect(first.agent.stderr()).not.toContain("no success");
  expect(await agentOf(operator, "shell-1")).toMatchObject(stopped);

  const second = await startAgent(server, operator, { folder: first.folder, token: null });
  expect(await run(operator, {})).toMatchObject({ status: "SUCCEEDED" });
  second.agent.signal("SIGINT");
  expect(await second.agent.ended).toMatchObject({ status: 0 });
  expect(second.agent.stderr()).not.toContain("registered");
  expect(await agentOf(operator, "shell-1")).toMatchObject(stopped);

  for (let delay = 0; isLong && delay < 100; delay += 10) {
    const again = await startAgent(server, operator, { folder: first.folder, token: null });
    await new Promise((resolve) => setTimeout(resolve, delay));
    again.agent.signal("SIGTERM");
    await again.agent.ended;
    expect(again.agent.stderr()).not.toContain("no success");
  }
});

test("a service that belongs to another agent is logged as refused once, and still reported", async () => {
  const { server, operator } = await openApp(
    { AGENT_HEARTBEAT_INTERVAL_SECONDS: "1" },
    runningClock(),
  );
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const other = await registerAgent(server.url, token, "other", [
    { code: "shell-1-echo", name: "Echo", version: "2.0.0", healthStatus: "UP" },
  ]);
  const { agent } = await startAgent(server, operator);
  const logged = /services refused by the server: .*/g;
  await until("the agent logs the refusal", () => logged.test(agent.stderr()));
  const { id } = (await operator.page("agents.list", { query: { q: "shell-1" } })).data[0]!;
  const polls = async () =>
    (await operator.call("agents.get", { params: { agentId: id } })).lastHeartbeatAt;
  const before = await polls();
  server.clock.advance(1);
  await until("the agent continues", async () => (await polls()) !== before);
  await other.call("POST", "/offline", {});
  expect((await serviceOf(operator, "shell-1-echo")).version).toBe("1.0.0");
  await until("the agent logs the change", () => agent.stderr().includes("server: none"));
  expect(agent.stderr().match(logged)).toEqual([
    expect.stringContaining('"reason":"SERVICE_CODE_TAKEN","agentCode":"other"'),
    expect.stringContaining("none"),
  ]);
});

interface Remains {
  /** The text of the command's file; null if there is none. */
  left: string | null;
  /** Whether a failover has undone the delivery. */
  isUndone?: boolean;
  isCancelled?: boolean;
  /** Whether the agent registered long ago. */
  isOld?: boolean;
  wanted: object;
}

const result = '{"success":true,"output":"done before"}';
const doneBefore = { status: "SUCCEEDED", deliveries: 1, result: { output: "done before" } };

/** What a killed agent has on disk about a command, and what becomes of the command. */
const remains: Remains[] = [
  { left: null, wanted: { status: "SUCCEEDED", deliveries: 2 } },
  { left: "", wanted: { status: "FAILED", errorCode: "AGENT_RESTARTED" } },
  { left: result, wanted: doneBefore },
  { left: result, isUndone: true, wanted: doneBefore },
  { left: null, isCancelled: true, wanted: { status: "CANCELLED", cancelOutcome: "UNKNOWN" } },
  {
    left: null,
    isCancelled: true,
    isOld: true,
    wanted: { status: "CANCELLED", cancelOutcome: "STOPPED" },
  },
];

test("an agent that is killed with a delivered command reports it after the restart, whatever is on disk", async () => {
  const { server, operator } = await openApp();
  const { agent: first, folder } = await startAgent(server, operator);
  const { id: serviceId } = await serviceOf(operator, "shell-1-echo");
  const state = join(folder, "state");
  let agent = first;
  for (const remaining of remains) {
    const { left, isUndone = false, isCancelled = false, isOld = false, wanted } = remaining;
    // Waits, because a poll that the agent sends while it is killed would take the command.
    await until("the agent polls", () => server.app.core.doorbell.size === 1);
    await agent.kill();
    await until("the agent's poll is gone", () => server.app.core.doorbell.size === 0);
    const bearer = /platform_agent_\w+/.exec(readFileSync(join(state, "token"), "utf8"))?.[0] ?? "";
    const params = { serviceId, actionName: "echo" };
    const { command } = await operator.call("actions.execute", { params, body: { payload: {} } });
    const commandId = command!.id;
    if (!isUndone) {
      const polled = await callAs(server.url, bearer)("GET", "/commands?wait=5&limit=1&held=");
      expect(polled.body.data.commands[0].id).toBe(commandId);
    }
    if (left !== null) writeFileSync(join(state, commandId), left);
    if (isOld) utimesSync(join(state, "token"), 0, 0);
    if (isCancelled) await operator.call("commands.cancel", { params: { commandId } });
    ({ agent } = await startAgent(server, operator, { folder, token: null }));
    await until("the command has ended", async () => {
      const ended = await endOf(operator, commandId);
      return isCancelled ? ended.cancelOutcome !== "UNCONFIRMED" : ended;
    });
    expect(await endOf(operator, commandId), JSON.stringify(remaining)).toMatchObject(wanted);
    await until("the command's file is gone", () => commandFiles(state).length === 0);
  }
});

test("the agent logs a revoked token, a disabled agent and a wrong registration token", async () => {
  const { server, operator } = await openApp();
  const first = await startAgent(server, operator);
  const second = await startAgent(server, operator, { env: { AGENT_CODE: "shell-2" } });
  const { agentId } = await serviceOf(operator, "shell-1-echo");
  await operator.call("agents.revoke-token", { params: { agentId } });
  const failed = (says: RegExp) => ({ status: 1, stderr: expect.stringMatching(says) });
  const revoked = failed(/was refused \(401\).*To register again: remove .*token/);
  expect(await first.agent.ended).toMatchObject(revoked);

  const { agentId: secondId } = await serviceOf(operator, "shell-2-echo");
  await operator.call("agents.disable", { params: { agentId: secondId } });
  await until("the agent logs the refusal", () =>
    second.agent.stderr().includes("refused, retrying"),
  );
  second.agent.signal("SIGTERM");
  expect(await second.agent.ended).toMatchObject({ status: 0 });

  const stranger = await startAgent(server, operator, { token: "platform_reg_wrong" });
  const unknown = failed(/\/register was refused \(401\): "The registration token is/);
  expect(await stranger.agent.ended).toMatchObject(unknown);
  expect(existsSync(join(stranger.folder, "state/token"))).toBe(false);
});

function commandFiles(state: string): string[] {
  return readdirSync(state).filter((name) => name.startsWith("cmd_"));
}

async function openApp(env: Record<string, string> = {}, clock = testClock()) {
  const server: ListeningApp = await listenTestApp(env, { clock });
  return { server, operator: server.as("operator") };
}

interface AgentOptions {
  shell?: string[];
  folder?: string;
  /** The registration token. Undefined creates one, and null starts the agent without one. */
  token?: string | null;
  env?: Record<string, string>;
}

async function startAgent(
  server: { url: string },
  operator: Client,
  options: AgentOptions = {},
): Promise<{ agent: Program; folder: string }> {
  const { shell = ["sh"], folder = temporaryFolder(), env = {} } = options;
  const { token = (await operator.call("registration-tokens.create", { body: {} })).token } =
    options;
  const agent = startCommand([...shell, agentScript], {
    cwd: folder,
    group: true,
    env: {
      PATH: pathWith("curl"),
      PLATFORM_URL: server.url,
      AGENT_DIR: "./state",
      ...(token === null ? {} : { PLATFORM_REGISTRATION_TOKEN: token }),
      ...env,
    },
  });
  onTestFinished(({ task }) => {
    if (task.result?.state === "fail") console.error(agent.stderr());
  });
  return { agent, folder };
}

/** Returns the service as soon as it is HEALTHY. */
function serviceOf(operator: Client, code: string) {
  return until(`${code} is HEALTHY`, async () => {
    const { data } = await operator.page("services.list", { query: { q: code } }).catch(() => none);
    return data.find(({ status }) => status === "HEALTHY");
  });
}

const none = { data: [] };

const stopped = { status: "OFFLINE", offlineReason: "STOPPED" };

async function agentOf(operator: Client, code: string) {
  return (await operator.page("agents.list", { query: { q: code } })).data[0];
}

async function run(operator: Client, payload: JsonObject) {
  const { id: serviceId } = await serviceOf(operator, "shell-1-echo");
  const params = { serviceId, actionName: "echo" };
  const { command } = await operator.call("actions.execute", { params, body: { payload } });
  return endOf(operator, command!.id);
}

function endOf(operator: Client, commandId: string) {
  return operator.call("commands.get", { params: { commandId }, query: { wait: 20 } });
}

function distinct(commands: string[]): string[] {
  const real = (command: string) => {
    const find = 'readlink -f "$(command -v "$0")"';
    return spawnSync("sh", ["-c", find, command.split(" ", 1)[0] ?? ""]).stdout.toString();
  };
  const files = commands.map(real);
  return commands.filter((_, at) => files[at] !== "" && files.indexOf(files[at] ?? "") === at);
}
