// The server turns the agent away, and takes it again.

import { expect, test } from "vitest";
import { listenTestApp } from "../helpers/http.ts";
import {
  ended,
  execute,
  fast,
  makeAgent,
  registrationToken,
  serviceWith,
  startAgent,
  wireTo,
} from "./harness.ts";

test("disabled, then enabled: it goes on by itself", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const tested = await startAgent(server, serviceWith({ execute: () => "back" }));
  const params = { agentId: tested.agent.agentId ?? "" };
  await operator.call("agents.disable", { params });
  expect(await tested.event("refused")).toMatchObject({ code: "AGENT_DISABLED", level: "error" });
  await operator.call("agents.enable", { params });
  await tested.event("accepted");
  expect(await ended(server, await execute(server))).toMatchObject({ result: { output: "back" } });
  expect(tested.events.filter((event) => event.type === "refused")).toHaveLength(1);
});

test("a revoked token, with a way to a new one: it registers again", async () => {
  const server = await listenTestApp();
  const tested = await startAgent(server, serviceWith({ execute: () => "back" }));
  const agentId = tested.agent.agentId ?? "";
  await server.as("operator").call("agents.revoke-token", { params: { agentId } });
  expect(await tested.event("refused")).toMatchObject({ code: "UNAUTHORIZED" });
  await tested.event("accepted");
  expect(tested.agent.agentId).toBe(agentId);
  expect(await ended(server, await execute(server))).toMatchObject({ result: { output: "back" } });
});

test("a result that was made while the token was revoked is sent with the new one", async () => {
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
  const params = { agentId: tested.agent.agentId ?? "" };
  await server.as("operator").call("agents.revoke-token", { params });
  await tested.event("refused", (event) => event.code === "REGISTRATION_TOKEN_MISSING");
  gate.resolve();
  await tested.event("command.finished");
  mayRegister = true;
  expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED" });
});

test("a revoked token and no other: it tells, waits, and can be stopped", async () => {
  const server = await listenTestApp();
  const token = await registrationToken(server);
  const tested = await startAgent(server, [], { registrationToken: token });
  const params = { agentId: tested.agent.agentId ?? "" };
  await server.as("operator").call("agents.revoke-token", { params });
  await tested.event("refused", (event) => event.code === "UNAUTHORIZED");
  await tested.agent.stop();
  const again = makeAgent({ server: server.url, stateDir: tested.stateDir, services: [] });
  const started = again.agent.start();
  await again.event("refused");
  await again.agent.stop();
  await expect(started).rejects.toMatchObject({ code: "AGENT_NOT_RUNNING" });
});

test("a disabled agent cannot register; its registration token waits with it", async () => {
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

test("a start while the server is away waits for it", async () => {
  const server = await listenTestApp();
  const wire = await wireTo(server);
  wire.up = false;
  const tested = makeAgent({
    server: wire.url,
    services: serviceWith({}),
    registrationToken: await registrationToken(server),
    timing: fast,
  });
  const started = tested.agent.start();
  await tested.event("connection.lost");
  wire.up = true;
  await started;
  await tested.event("connection.restored");
});
