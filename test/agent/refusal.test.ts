import { chmodSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { frontOf, refusal } from "../helpers/http/front.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import {
  ended,
  execute,
  fast,
  makeAgent,
  openWire,
  registrationToken,
  revokeToken,
  serviceWith,
  startAgain,
  startAgent,
  startPair,
  until,
} from "./harness.ts";

test("an agent that is disabled and enabled again resumes by itself", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const tested = await startAgent(server, serviceWith({ execute: () => "back" }));
  const params = { agentId: tested.agent.agentId ?? "" };
  await operator.call("agents.disable", { params });
  expect(await tested.event("refused")).toMatchObject({
    code: "AGENT_DISABLED",
    level: "error",
    message: expect.stringContaining("`platformctl agents enable edge-1`"),
  });
  await operator.call("agents.enable", { params });
  await tested.event("accepted");
  expect(await ended(server, await execute(server))).toMatchObject({ result: { output: "back" } });
  expect(tested.events.filter((event) => event.type === "refused")).toHaveLength(1);
});

test("a result produced while the token was revoked is sent with the new token", async () => {
  const server = await listenTestApp();
  const gate = Promise.withResolvers<void>();
  let mayRegister = true;
  const registration = () => {
    if (mayRegister) return registrationToken(server);
    throw new Error("not yet");
  };
  const tested = await startAgent(server, serviceWith({ execute: () => gate.promise }), {
    registrationToken: registration,
  });
  mayRegister = false;
  const id = await execute(server);
  await tested.event("command.started");
  await revokeToken(server, tested);
  await tested.event("refused", (event) => event.code === "REGISTRATION_TOKEN_MISSING");
  gate.resolve();
  await tested.event("command.finished");
  mayRegister = true;
  expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED" });
});

test("an agent with a revoked token and no new one reports that, waits, and can be stopped", async () => {
  const server = await listenTestApp();
  const token = await registrationToken(server);
  const tested = await startAgent(server, [], { registrationToken: token });
  await revokeToken(server, tested);
  const { message } = await tested.event("refused", (event) => event.code === "UNAUTHORIZED");
  expect(message).toMatch(
    /^The server refuses the agent: .*\. Create a registration token with `platformctl tokens create`/,
  );
  await tested.agent.stop();
  const again = makeAgent({ server: server.url, stateDir: tested.stateDir, services: [] });
  const started = again.agent.start();
  await again.event("refused");
  await again.agent.stop();
  await expect(started).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
});

test("an agent whose host name the server refuses waits, also while it registers, and keeps its token", async () => {
  const server = await listenTestApp();
  const misdirected = [421, refusal("MISDIRECTED_HOST")] as const;
  const front = await frontOf(server, /./, misdirected, { times: 2, retryAfter: 0 });
  const token = await registrationToken(server);
  const tested = makeAgent({ server: front.url, services: [], registrationToken: token });
  await tested.agent.start();
  expect(await tested.event("refused")).toMatchObject({
    code: "MISDIRECTED_HOST",
    message: expect.stringContaining("PLATFORM_ALLOWED_HOSTS"),
  });
  front.refuseAgain();
  await tested.event("accepted");
  expect(tested.events.map(({ type }) => type)).not.toContain("agent.failed");
});

test.each([
  [/\/heartbeat$/, "heartbeat.failed"],
  [/\/services$/, "report.failed"],
] as const)(
  "a call to %s that is refused on its way is an event, and the start continues",
  async (path, type) => {
    const server = await listenTestApp();
    const refused = [415, refusal("UNSUPPORTED_MEDIA_TYPE")] as const;
    const front = await frontOf(server, path, refused, { retryAfter: 0 });
    const tested = await startAgent(server, [], { server: front.url });
    expect(await tested.event(type)).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  },
);

test("a disabled agent waits with its registration token until it is enabled", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const { agentId } = await server.registerAgent("edge-1");
  await operator.call("agents.disable", { params: { agentId } });
  const token = await registrationToken(server);
  const tested = makeAgent({ server: server.url, services: [], registrationToken: token });
  const started = tested.agent.start();
  expect(await tested.event("refused")).toMatchObject({ code: "AGENT_DISABLED" });
  await operator.call("agents.enable", { params: { agentId } });
  await started;
  expect(tested.agent.agentId).toBe(agentId);
});

test("an agent that starts while the server is unreachable waits for it", async () => {
  const { server, wire } = await openWire();
  wire.up = false;
  const tested = makeAgent({
    server: wire.url,
    services: serviceWith({}),
    registrationToken: await registrationToken(server),
    timing: fast,
  });
  const started = tested.agent.start();
  await tested.event("connection.lost");
  expect(tested.agent.agentId).toBeNull();
  wire.up = true;
  await started;
  await tested.event("connection.restored");
  expect(tested.agent.agentId).toMatch(/^agt_/);
});

test("an agent tries each registration token once", async () => {
  const server = await listenTestApp();
  let token = await registrationToken(server);
  let asked = 0;
  const tested = await startAgent(server, serviceWith({}), {
    registrationToken: () => {
      asked++;
      return token;
    },
  });
  const { agentId } = tested.agent;
  const registrations: number[] = [];
  server.server.on("request", ({ url }, answer) => {
    if (url === "/api/agents/register")
      answer.on("finish", () => registrations.push(answer.statusCode));
  });
  await revokeToken(server, tested);
  await until(() => asked >= 4, "several requests for a token");
  expect(registrations).toEqual([]);
  token = await registrationToken(server);
  await tested.event("accepted");
  await until(() => registrations.length > 0, "the registration");
  expect(registrations).toEqual([201]);
  expect(tested.agent.agentId).toBe(agentId);
  expect(await ended(server, await execute(server))).toMatchObject({ status: "SUCCEEDED" });
});

test("a replaced agent registers with the same token after the other agent has stopped", async () => {
  const server = await listenTestApp();
  const body = { replace: false };
  const { token } = await server.as("operator").call("registration-tokens.create", { body });
  const tokens = [await registrationToken(server), token];
  const first = await startAgent(server, [], {
    registrationToken: () => tokens.shift() ?? token,
  });
  const second = await startAgent(server, []);
  await first.event("refused", ({ code }) => code === "AGENT_CODE_TAKEN");
  await second.agent.stop();
  await first.event("accepted");
  expect(first.agent.agentId).toBe(second.agent.agentId);
});

test("a disabled agent only sends heartbeats, at long intervals", async () => {
  const timing = { ...fast, refusedRetrySeconds: 0.3 };
  const { server, tested } = await startPair(serviceWith({}), { timing });
  const params = { agentId: tested.agent.agentId ?? "" };
  await server.as("operator").call("agents.disable", { params });
  await tested.event("refused");
  const calls: { url: string; at: number }[] = [];
  server.server.on("request", ({ url = "" }) => calls.push({ url, at: performance.now() }));
  await until(() => calls.length >= 3, "three probes");
  expect(calls.map(({ url }) => url)).toEqual(Array(3).fill("/api/agents/heartbeat"));
  const [first, second, third] = calls.map(({ at }) => at) as [number, number, number];
  expect(Math.min(second - first, third - second)).toBeGreaterThan(250);
});

test("the agent does not spend its registration token if it cannot save the new agent token", async () => {
  const server = await listenTestApp();
  const token = await registrationToken(server);
  const stateDir = join(temporaryFolder(), "state");
  // This folder is in the way of the new file.
  mkdirSync(join(stateDir, "token.json.new"), { recursive: true });
  const refused = makeAgent({
    server: server.url,
    services: [],
    registrationToken: token,
    stateDir,
  });
  await expect(refused.agent.start()).rejects.toMatchObject({ code: "STATE_UNUSABLE" });
  rmdirSync(join(stateDir, "token.json.new"));
  const again = makeAgent({ server: server.url, services: [], registrationToken: token, stateDir });
  await again.agent.start();
  expect(readdirSync(stateDir).sort()).toEqual(["agent.lock", "journal.jsonl", "token.json"]);
});

test("a folder in place of the token file fails the start, and a readable token file becomes private", async () => {
  const server = await listenTestApp();
  const stateDir = join(temporaryFolder(), "state");
  mkdirSync(join(stateDir, "token.json"), { recursive: true });
  const blocked = makeAgent({ server: server.url, services: [], stateDir });
  const reason = /^Cannot use the token file .*token\.json: EISDIR/;
  await expect(blocked.agent.start()).rejects.toThrow(reason);
  rmdirSync(join(stateDir, "token.json"));
  const first = await startAgent(server, [], { stateDir });
  await first.agent.stop();
  chmodSync(join(stateDir, "token.json"), 0o644);
  await startAgain({ server: server.url, services: [], stateDir });
  expect(statSync(join(stateDir, "token.json")).mode & 0o777).toBe(0o600);
});
