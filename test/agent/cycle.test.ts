import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  ActionError,
  createAgent,
  type Identity,
  type Service,
  type TokenStore,
} from "../../src/agent/index.ts";
import { problemOfNode, settingsOf } from "../../src/agent/settings.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { ca } from "../helpers/http/https.ts";
import {
  ended,
  execute,
  makeAgent,
  paramsOf,
  registrationToken,
  serviceWith,
  startAgain,
  startAgent,
  startPair,
  wireTo,
} from "./harness.ts";

test("an agent registers, reports, prepares and executes an action, and sends the result", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const schema = { type: "object", properties: { file: { type: "string", default: "a.log" } } };
  const collector: Service = {
    code: "collector",
    name: "Collector",
    version: () => "2.0.0",
    health: () => ({ status: "UP", message: "all well" }),
    configs: () => [{ key: "path", type: "string", valuePreview: "/var/log" }],
    actions: [
      {
        name: "rotate",
        dangerLevel: "HIGH",
        inputSchema: schema,
        prepare: () => ({ currentState: { files: ["a.log"] } }),
        execute: ({ file }, { log }) => {
          log("rotating", { file });
          return { rotated: file };
        },
      },
    ],
  };
  const tested = await startAgent(server, [collector]);
  expect(tested.agent.agentId).toMatch(/^agt_/);
  const { data } = await operator.page("services.list");
  expect(data).toMatchObject([{ code: "collector", status: "HEALTHY", version: "2.0.0" }]);

  const params = { serviceId: data[0]!.id, actionName: "rotate" };
  const prepared = await operator.call("actions.prepare", { params });
  expect(prepared).toMatchObject({
    inputSchema: schema,
    initialPayload: { file: "a.log" },
    currentState: { files: ["a.log"] },
  });
  const { command } = await operator.call("actions.execute", {
    params,
    body: {
      payload: { file: "b.log" },
      confirmation: true,
      prepareCommandId: prepared.command!.id,
    },
  });
  expect(await ended(server, command!.id)).toMatchObject({
    status: "SUCCEEDED",
    result: { success: true, output: { rotated: "b.log" } },
  });
  const log = await tested.event("command.log");
  expect(log).toMatchObject({ commandId: command!.id, message: "rotating", level: "info" });
  await tested.event("result.acknowledged", (event) => event.commandId === command!.id);
  const types = tested.events.map((event) => event.type);
  // The clock of the test's server stands still.
  expect(types.filter((type) => type === "clock.off")).toHaveLength(1);
  expect(types.filter((type) => type !== "clock.off")).toEqual([
    "registered",
    "reported",
    ...["command.started", "command.finished", "result.acknowledged"],
    ...["command.started", "command.log", "command.finished", "result.acknowledged"],
  ]);
});

test("without a prepare function, the catalog provides the form", async () => {
  const inputSchema = { properties: { level: { default: 3 } } };
  const { server } = await startPair(serviceWith({ inputSchema }));
  const operator = server.as("operator");
  const params = await paramsOf(server);
  const form = { inputSchema, initialPayload: { level: 3 }, currentState: null };
  const query = { fromCatalog: true };
  const answer = await operator.call("actions.prepare", { params, query });
  expect(answer).toMatchObject({ ...form, command: null });

  // A client that does not know `fromCatalog` gets a command, and sends its id back.
  const older = await operator.call("actions.prepare", { params });
  expect(older).toMatchObject({ ...form, command: { status: "SUCCEEDED" } });
  const body = { payload: { level: 4 }, prepareCommandId: older.command?.id };
  const { command } = await operator.call("actions.execute", { params, body });
  expect(command!.prepareCommandId).toBe(older.command?.id);
});

test("a command whose handler throws, rejects or returns no JSON fails", async () => {
  const gone = new ActionError("FILE_GONE", "a.log is gone", { file: "a.log" });
  const ends: [run: () => unknown, failure: object][] = [
    [() => Promise.reject(gone), { errorCode: "FILE_GONE", errorMessage: "a.log is gone" }],
    [
      () => {
        throw new TypeError("no such thing");
      },
      { errorCode: "ACTION_FAILED", errorMessage: "no such thing" },
    ],
    [() => Promise.reject("plain"), { errorMessage: "plain" }],
    [() => ({ big: 1n }), { errorCode: "ACTION_OUTPUT_INVALID" }],
  ];
  let run: () => unknown = () => null;
  const { server } = await startPair(serviceWith({ execute: () => run() }));
  for (const [end, failure] of ends) {
    run = end;
    const command = await ended(server, await execute(server));
    expect(command).toMatchObject({ status: "FAILED", ...failure });
  }
});

test("an action that the agent does not know or no longer knows fails with ACTION_UNKNOWN", async () => {
  const { server, tested } = await startPair([]);
  const [description] = serviceWith({});
  const collector = tested.agent.service(description!);
  await tested.agent.reportNow();
  // The server keeps the action of a service that is no longer reported.
  collector.remove();
  tested.agent.service({ code: "other", name: "Other", version: "1" });
  await tested.agent.reportNow();
  const operator = server.as("operator");
  const { data } = await operator.page("services.list", { query: { q: "collector" } });
  const { command } = await operator.call("actions.execute", {
    params: { serviceId: data[0]!.id, actionName: "work" },
    body: {},
  });
  expect(await ended(server, command!.id)).toMatchObject({ errorCode: "ACTION_UNKNOWN" });
});

test("reportNow reports a change immediately, and a health check that throws counts as DOWN", async () => {
  const server = await listenTestApp();
  let health = () => "UP";
  const tested = await startAgent(server, [{ ...serviceWith({})[0]!, health: () => health() }]);
  health = () => {
    throw new Error("disk full");
  };
  await tested.agent.reportNow();
  const { data } = await server.as("operator").page("services.list");
  expect(data).toMatchObject([{ status: "UNHEALTHY", healthStatus: "DOWN" }]);
  await tested.agent.stop();
  await expect(tested.agent.reportNow()).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
});

test("only the owner can read the token and the journal, and only one agent can use the state folder", async () => {
  const { server, stateDir } = await startPair(serviceWith({}));
  const modes = ["token.json", "journal.jsonl", "agent.lock", "."].map(
    (name) => statSync(join(stateDir, name)).mode & 0o777,
  );
  expect(modes).toEqual([0o600, 0o600, 0o600, 0o700]);
  const second = makeAgent({ server: server.url, stateDir, services: [] });
  await expect(second.agent.start()).rejects.toMatchObject({ code: "STATE_IN_USE" });
  // The refused start must not have released the running agent's lock.
  expect(takenByAnotherProcess(stateDir)).toBe("STATE_IN_USE");
});

/** Returns "TAKEN" or the error's code. */
function takenByAnotherProcess(stateDir: string): string {
  const script = `
    const { takeStateFolder } = await import(process.argv[1]);
    try {
      takeStateFolder(process.argv[2]);
      console.log("TAKEN");
    } catch ({ code }) {
      console.log(code);
    }`;
  const module = new URL("../../src/agent/state-folder.ts", import.meta.url).href;
  const words = ["--input-type=module", "--eval", script, module, stateDir];
  return execFileSync(process.execPath, words, { encoding: "utf8" }).trim();
}

test("a registration that cannot succeed fails immediately", async () => {
  const server = await listenTestApp();
  const without = makeAgent({ server: server.url, services: [] });
  await expect(without.agent.start()).rejects.toMatchObject({ code: "REGISTRATION_TOKEN_MISSING" });
  const token = await registrationToken(server);
  await startAgent(server, [], { registrationToken: token });
  const late = makeAgent({ server: server.url, services: [], registrationToken: token });
  await expect(late.agent.start()).rejects.toMatchObject({
    code: "REGISTRATION_REFUSED",
    message: expect.stringContaining("`platformctl tokens create`"),
    cause: { code: "REGISTRATION_TOKEN_USED" },
  });
  const misnamed = makeAgent({
    server: server.url,
    services: [],
    agent: { code: "agt_01M7ZK556E5YSERWHE95RRMDBM", mode: "embedded" },
    registrationToken: await registrationToken(server),
  });
  // Another token would not help.
  await expect(misnamed.agent.start()).rejects.toMatchObject({
    code: "REGISTRATION_REFUSED",
    message: expect.stringMatching(/choose a name\.$/),
  });
  await expect(late.agent.start()).rejects.toThrow();
});

test("the start fails if the server refuses the first report", async () => {
  const server = await listenTestApp();
  const services = [{ ...serviceWith({})[0]!, version: () => "" }];
  await expect(startAgent(server, services)).rejects.toMatchObject({
    code: "REPORT_REFUSED",
    cause: { code: "VALIDATION_FAILED" },
  });
});

const right = {
  server: "http://agents.example",
  agent: { code: "a", mode: "embedded" },
  stateDir: "unused",
};
const halfEscaped = { http_proxy: "http://me:50%@p.example" };

test.each([
  ["a server that is not a URL", { server: "agents.example.com" }, "server must"],
  ["a server with a fragment", { server: "http://agents.example/#x" }, "server must not contain"],
  ["a server with a password", { server: "http://:x@agents.example" }, "server must not contain"],
  ["a server with an empty user", { server: "http://@agents.example" }, "server must not contain"],
  ["a bad code", { agent: { code: "a b", mode: "embedded" } }, "agent.code"],
  ["a bad mode", { agent: { code: "a", mode: "Embedded" } }, "agent.mode"],
  ["no slots", { concurrency: 0 }, "concurrency"],
  ["no folder", { stateDir: "" }, "stateDir"],
  ["a negative time", { timing: { heartbeatSeconds: -1 } }, "timing.heartbeatSeconds"],
  ["an endless time", { timing: { flushSeconds: Infinity } }, "timing.flushSeconds"],
  ["an unusable proxy", { proxy: "socks5://p.example" }, "proxy must be a URL like"],
  ["an unusable proxy in a variable", { env: halfEscaped }, "http_proxy must be a URL like"],
  ["a ca that is never used", { ca, insecureSkipTlsVerify: true }, "set only one of them"],
])("options with %s are refused", (_, wrong, message) => {
  const make = () => createAgent({ ...right, ...wrong });
  expect(make).toThrow(message);
  expect(make).not.toThrow("50%");
});

test("a change of the description to undefined changes nothing", async () => {
  const server = await listenTestApp();
  const described = { code: "edge-1", mode: "embedded", name: "Edge", runtime: "mine" };
  const { agent } = makeAgent({
    server: server.url,
    registrationToken: await registrationToken(server),
    agent: described,
    services: [],
  });
  agent.describe({ name: undefined, runtime: undefined, version: "2" });
  await agent.start();
  const [row] = await server.as("viewer").call("agents.list");
  expect(row).toMatchObject({ name: "Edge", runtime: "mine", version: "2" });
});

test("a runtime that is undefined means the default", () => {
  const agent = { ...right.agent, runtime: undefined };
  expect(settingsOf({ ...right, agent }).agent.runtime).toMatchObject({ name: "node" });
});

test.each([
  ["22.19.0", null],
  ["22.18.9", "it needs Node 22.19 or newer, but this is Node 22.18.9"],
  ["20.20.1", "it needs Node 22.19 or newer, but this is Node 20.20.1"],
])("the problem with Node %s is %j", (node, problem) => {
  expect(problemOfNode(node)).toBe(problem);
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal("process", { ...process, versions: { ...process.versions, node } });
  const make = () => createAgent(right);
  if (problem === null) expect(make).not.toThrow();
  else expect(make).toThrow(`Cannot create the agent: ${problem}.`);
});

test("invalid services and actions are refused and change nothing", async () => {
  const { server, tested } = await startPair([]);
  const { agent } = tested;
  const [right] = serviceWith({});
  expect(() => agent.service({ ...right!, code: "a b" })).toThrow("service a b: code: ");
  const bad = serviceWith({ timeoutSeconds: 0 })[0]!;
  expect(() => agent.service(bad)).toThrow("collector: actions.0.timeoutSeconds: ");
  const unusable = serviceWith({ inputSchema: { $ref: "#/nowhere" } })[0]!;
  expect(() => agent.service(unusable)).toThrow(
    /^Cannot add the service: service collector: actions\.0\.inputSchema: is unusable: /,
  );
  const collector = agent.service({ code: "collector", name: "Collector", version: "1" });
  expect(() => agent.service(right!)).toThrow("a service with the code collector already exists");
  const work = { name: "work", execute: () => null };
  collector.action(work).action({ ...work, name: "rest" });
  expect(() => collector.action(work)).toThrow("two entries have the same name");
  await agent.reportNow();
  const { data } = await server.as("operator").page("services.list");
  const { actions } = await server.as("operator").call("services.get", {
    params: { serviceId: data[0]!.id },
  });
  expect(actions.map(({ name }) => name)).toEqual(["work", "rest"]);
  collector.remove();
  expect(() => collector.action(work)).toThrow("the service collector was removed");
});

test("a custom token store replaces the file", async () => {
  let kept: Identity | null = null;
  const tokenStore: TokenStore = {
    read: async () => kept,
    write: async (identity) => {
      kept = identity;
    },
  };
  const { server, tested: first } = await startPair([], { tokenStore });
  expect(kept).toMatchObject({ agentId: first.agent.agentId });
  expect(existsSync(join(first.stateDir, "token.json"))).toBe(false);
  await first.agent.stop();
  const again = await startAgain({ server: server.url, services: [], tokenStore });
  expect(again.agent.agentId).toBe(first.agent.agentId);
});

test("a secret configuration value never leaves the agent", async () => {
  const server = await listenTestApp();
  const sent: string[] = [];
  const wire = await wireTo(server);
  wire.onSent = (text) => sent.push(text);
  const secret = { key: "key", type: "string", sensitive: true, valuePreview: "hunter2" };
  const [service] = serviceWith({});
  await startAgent(server, [{ ...service!, configs: [secret] }], { server: wire.url });
  expect(sent.join("")).toContain('"sensitive":true');
  expect(sent.join("")).not.toContain("hunter2");
});
