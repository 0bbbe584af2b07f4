// Each test runs the library or the server of commit 275cb5d, which knows neither goodbyes nor
// cancellations, against today's counterpart. test/fixtures/wire-275cb5d contains the old code.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import type { AgentEvent, createAgent } from "../../src/agent/index.ts";
import type { Client } from "../../src/client/client.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { startOlderServer, unpackOlder } from "../helpers/older-server.ts";
import {
  commandOf,
  ended,
  execute,
  fast,
  makeAgent,
  registrationToken,
  serviceWith,
  startAgain,
  until,
} from "./harness.ts";

async function oldAgent(options: Parameters<typeof createAgent>[0]) {
  const file = unpackOlder("agent.js");
  const library = (await import(pathToFileURL(file).href)) as { createAgent: typeof createAgent };
  const events: AgentEvent[] = [];
  const agent = library.createAgent({
    ...options,
    timing: fast,
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => agent.stop({ graceSeconds: 0 }));
  return { agent, events };
}

async function invitation(operator: Client): Promise<string> {
  return (await operator.call("registration-tokens.create", { body: {} })).token;
}

async function start(operator: Client): Promise<string> {
  const { data } = await operator.page("services.list", {});
  const params = { serviceId: data[0]?.id ?? "", actionName: "work" };
  const { command } = await operator.call("actions.execute", { params, body: { payload: {} } });
  return command!.id;
}

const reported = { code: "edge-1", mode: "embedded" };

test("an old agent works with a new server, does not poll in a loop after a cancellation, and leaves usable state", async () => {
  const server = await listenTestApp();
  const stateDir = join(temporaryFolder(), "state");
  const gate = Promise.withResolvers<string>();
  const { agent, events } = await oldAgent({
    server: server.url,
    agent: reported,
    stateDir,
    registrationToken: await registrationToken(server),
  });
  let runs = 0;
  agent.service(
    serviceWith({ execute: () => (++runs === 1 ? "first" : gate.promise) })[0] as never,
  );
  await agent.start();
  expect(await ended(server, await execute(server))).toMatchObject({ result: { output: "first" } });

  const id = await execute(server);
  await until(() => runs === 2, "the second run");
  await until(() => server.app.core.doorbell.size === 1, "the held poll");
  const polls = async () =>
    (await server.as("owner").call("metrics.get")).operational.agentCommandPolls;
  const before = await polls();
  await server.as("operator").call("commands.cancel", { params: { commandId: id } });
  // When this later command has finished, the agent has processed the cancellation.
  const next = await execute(server);
  gate.resolve("all of it");
  expect(await ended(server, next)).toMatchObject({ status: "SUCCEEDED" });
  await expect
    .poll(() => commandOf(server, id))
    .toMatchObject({
      status: "CANCELLED",
      cancelOutcome: "FINISHED",
      lateResult: { output: "all of it" },
    });
  expect((await polls()) - before).toBeLessThan(6);
  expect(events.filter(({ type }) => type === "poll.failed")).toEqual([]);

  const { agentId } = agent;
  await agent.stop();
  const successor = await startAgain({ server: server.url, stateDir, services: serviceWith({}) });
  expect(successor.agent.agentId).toBe(agentId);
});

test("a new agent works with an old server, stops without a goodbye, and gives its token to no other server", async () => {
  const { url, operator } = await startOlderServer();
  const gate = Promise.withResolvers<string>();
  const options = {
    server: url,
    registrationToken: await invitation(operator),
    completeReports: true,
  };
  const services = serviceWith({ execute: () => gate.promise });
  const tested = await startAgain({ ...options, services });
  const id = await start(operator);
  await tested.event("command.started");
  await operator.call("commands.cancel", { params: { commandId: id } });
  gate.resolve("done");
  await tested.event("result.acknowledged", ({ status }) => status === "CANCELLED");
  const command = await operator.call("commands.get", { params: { commandId: id } });
  expect(command).toMatchObject({ status: "CANCELLED", lateResult: { output: "done" } });
  const again = await start(operator);
  const query = { wait: 10 };
  expect(
    await operator.call("commands.get", { params: { commandId: again }, query }),
  ).toMatchObject({ status: "SUCCEEDED" });

  await tested.agent.stop();
  expect(tested.events.filter(({ level }) => level === "error")).toEqual([]);
  const { stateDir } = tested;
  const moved = makeAgent({
    server: url.replace("127.0.0.1", "localhost"),
    stateDir,
    services: [],
  });
  await expect(moved.agent.start()).rejects.toMatchObject({ code: "REGISTRATION_TOKEN_MISSING" });
  expect(JSON.parse(readFileSync(join(stateDir, "token.json"), "utf8")).server).toBe(url);
  await startAgain({ server: url, stateDir, services: [] });
});
