// e2e/package.test.ts checks that nothing keeps the process alive after a stop.

import { expect, test } from "vitest";
import { listenTestApp } from "../helpers/http/http.ts";
import {
  commandOf,
  cutOff,
  execute,
  fast,
  makeAgent,
  openWire,
  registrationToken,
  serviceWith,
  startAgain,
  startPair,
  startWired,
  until,
} from "./harness.ts";

test("a held poll ends immediately, operators see the stop, and a second stop changes nothing", async () => {
  // Time stands still for the server, so the poll does not end by itself.
  const { server, tested } = await startPair(serviceWith({}));
  await until(() => server.app.core.doorbell.size === 1, "the held poll");
  await Promise.all([tested.agent.stop(), tested.agent.stop()]);
  await until(() => server.app.core.doorbell.size === 0, "the end of the held poll");
  await expect(tested.agent.start()).resolves.toBeUndefined();
  expect(tested.events.filter((event) => event.type === "stopped")).toHaveLength(1);
  const [agent] = (await server.as("viewer").page("agents.list", {})).data;
  expect(agent).toMatchObject({ status: "OFFLINE", offlineReason: "STOPPED" });
});

test("a handler that finishes within the grace period is not disturbed", async () => {
  const gate = Promise.withResolvers<string>();
  const { server, tested } = await startPair(serviceWith({ execute: () => gate.promise }));
  const id = await execute(server);
  await tested.event("command.started");
  await until(() => server.app.core.doorbell.size === 1, "the next poll");
  const stopped = tested.agent.stop({ graceSeconds: 60 });
  await until(() => server.app.core.doorbell.size === 0, "the end of the held poll");
  const next = await execute(server);
  gate.resolve("in time");
  await stopped;
  expect(await commandOf(server, id)).toMatchObject({ result: { output: "in time" } });
  expect(await commandOf(server, next)).toMatchObject({ status: "PENDING" });
});

test.each<[string, (signal: AbortSignal) => Promise<unknown>, object]>([
  [
    "ends by itself",
    (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("half"))),
    { status: "SUCCEEDED", result: { output: "half" } },
  ],
  [
    "does not listen",
    () => new Promise(() => undefined),
    { status: "FAILED", errorCode: "AGENT_STOPPED" },
  ],
])(
  "when the grace period ends, the command of a handler that %s gets a result",
  async (_, run, expected) => {
    const services = serviceWith({ execute: (_payload, { signal }) => run(signal) });
    const { server, tested } = await startPair(services);
    const id = await execute(server);
    await tested.event("command.started");
    await tested.agent.stop({ graceSeconds: 0.01 });
    expect(await commandOf(server, id)).toMatchObject(expected);
  },
);

test("a stop does not wait for an unreachable server to take the output of a command that has ended", async () => {
  const gate = Promise.withResolvers<void>();
  const services = serviceWith({
    async execute(_payload, { output }) {
      await gate.promise;
      output.write("x\n");
    },
  });
  const { server, wire, tested } = await startWired(services, { timing: cutOff });
  await execute(server);
  await tested.event("command.started");
  wire.up = false;
  await tested.event("connection.lost");
  gate.resolve();
  await tested.event("command.finished");
  await tested.agent.stop({ graceSeconds: 3600 });
});

test.each([
  ["the first time", false],
  ["again, its token revoked", true],
])("an agent that is stopped while it registers %s keeps the new token", async (_, isAgain) => {
  const { server, wire } = await openWire();
  const sent = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { agent, stateDir } = makeAgent({
    server: wire.url,
    services: [],
    registrationToken: () => registrationToken(server),
    timing: { ...fast, flushSeconds: 60 },
  });
  const started = isAgain ? agent.start() : null;
  await started;
  const agentId = agent.agentId ?? "";
  wire.holdAnswer = (text) => {
    if (!text.includes("agentToken")) return undefined;
    sent.resolve();
    return answered.promise;
  };
  const done = isAgain
    ? server.as("operator").call("agents.revoke-token", { params: { agentId } })
    : expect(agent.start()).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
  await sent.promise;
  const stopped = agent.stop({ graceSeconds: 0 });
  answered.resolve();
  await Promise.all([stopped, done]);
  wire.holdAnswer = null;
  await startAgain({ server: wire.url, stateDir, services: [] });
});

test("a registration without a response does not delay a stop for long", async () => {
  const { server, wire } = await openWire();
  const sent = Promise.withResolvers<void>();
  wire.holdAnswer = () => {
    sent.resolve();
    return new Promise(() => undefined);
  };
  const { agent } = makeAgent({
    server: wire.url,
    services: [],
    registrationToken: await registrationToken(server),
    timing: cutOff,
  });
  const started = expect(agent.start()).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
  await sent.promise;
  await agent.stop();
  await started;
});

test("a token store and a registration token that never resolve do not delay a stop", async () => {
  const endless = () => new Promise<never>(() => undefined);
  const write = async () => undefined;
  for (const options of [
    { registrationToken: endless },
    { registrationToken: "x", tokenStore: { read: endless, write } },
  ]) {
    const { agent } = makeAgent({ server: "http://127.0.0.1:1", services: [], ...options });
    const started = expect(agent.start()).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
    await agent.stop();
    await started;
  }
});

test("a start fails if the agent is stopped before the start or during it", async () => {
  const server = await listenTestApp();
  const before = makeAgent({ server: server.url, services: [] });
  await before.agent.stop();
  await expect(before.agent.start()).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
  const during = makeAgent({ server: "http://127.0.0.1:1", services: [], registrationToken: "x" });
  const started = during.agent.start();
  const stopped = during.agent.stop();
  await expect(started).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
  await stopped;
});
