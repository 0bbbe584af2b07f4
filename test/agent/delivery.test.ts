// Commands and results under bad conditions: lost responses, outages, and slow handlers.

import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import type { ActionContext, AgentEvent } from "../../src/agent/index.ts";
import { frontOf, refusal } from "../helpers/http/front.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { size } from "../helpers/size.ts";
import {
  commandOf,
  ended,
  execute,
  fast,
  openWire,
  paramsOf,
  registrationToken,
  serviceWith,
  startAgain,
  startAgent,
  startPair,
  startWired,
  until,
} from "./harness.ts";

test("a command whose delivery was lost is delivered again and runs once", async () => {
  let runs = 0;
  const services = serviceWith({ execute: () => ++runs });
  const { server, wire, tested } = await startWired(services);
  let lost = 0;
  wire.loseAnswer = (text) => text.includes('"payload"') && lost++ === 0;
  const id = await execute(server);
  expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED", deliveries: 2 });
  expect([lost, runs]).toEqual([2, 1]);
  expect(await tested.event("connection.restored")).toMatchObject({ afterMs: expect.any(Number) });
  expect(tested.events.map(({ type }) => type)).not.toContain("journal.lost");
});

test("a command is not delivered again while the agent is running it", async () => {
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const run = async () => {
    runs++;
    await gate.promise;
  };
  const services = [...serviceWith({ execute: run }), ...serviceWith({ execute: run }, "other")];
  const { server, wire, tested } = await startWired(services);
  const first = await execute(server);
  await tested.event("command.started");
  wire.up = false;
  await tested.event("connection.lost");
  wire.up = true;
  await tested.event("connection.restored");
  const second = await execute(server, {}, "other");
  await tested.event("command.started", (event) => event.commandId === second);
  gate.resolve();
  await ended(server, first);
  expect(await commandOf(server, first)).toMatchObject({ status: "SUCCEEDED", deliveries: 1 });
  expect(runs).toBe(2);
});

test("a result whose acknowledgement was lost is sent again as a duplicate", async () => {
  const { server, wire, tested } = await startWired(serviceWith({}));
  let lost = 0;
  wire.loseAnswer = (text) => text.includes('"duplicate"') && lost++ === 0;
  await execute(server);
  expect(await tested.event("result.acknowledged")).toMatchObject({ duplicate: true });
});

test("a result is kept while the server has lost its record of the delivery", async () => {
  let runs = 0;
  const run = async (_payload: unknown, { command }: ActionContext) => {
    runs++;
    // As after a failover that lost the claim. No poll gets the command before it is due.
    await server.elsewhere(`UPDATE commands SET status = 'PENDING', started_at = NULL,
      deliveries = 0, expires_at = 0 WHERE id = '${command.id}'`);
    return "done";
  };
  const { server, tested } = await startPair(serviceWith({ execute: run }));
  const id = await execute(server);
  const isRefused = ({ type }: AgentEvent) => /^result\.(retry|dropped)$/.test(type);
  await until(() => tested.events.some(isRefused), "the refusal");
  const expiresAt = server.clock.now() + 60_000;
  await server.elsewhere(`UPDATE commands SET expires_at = ${expiresAt} WHERE id = '${id}'`);
  expect(await ended(server, id)).toMatchObject({
    status: "SUCCEEDED",
    result: { output: "done" },
  });
  expect(await tested.event("result.retry")).toMatchObject({ code: "COMMAND_NOT_RUNNING" });
  expect(runs).toBe(1);
});

test.each([
  [421, "MISDIRECTED_HOST"],
  [408, "UNAVAILABLE"],
  // As from an older server.
  [408, "INVALID_REQUEST"],
  [404, "NOT_FOUND"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
  [403, "FORBIDDEN"],
  [503, "UNAVAILABLE"],
])(
  "after a refusal that does not concern the result (%i %s), the agent sends the whole result again",
  async (status, code) => {
    const server = await listenTestApp();
    const refusals = { times: 3, retryAfter: 0 };
    const front = await frontOf(server, /\/result$/, [status, refusal(code)], refusals);
    const output = "x".repeat(300_000);
    const services = serviceWith({ execute: () => output });
    const tested = await startAgent(server, services, { server: front.url });
    expect(await ended(server, await execute(server))).toMatchObject({
      status: "SUCCEEDED",
      result: { output },
    });
    const types = tested.events.map(({ type }) => type);
    expect(types.filter((type) => /^result\.(shortened|dropped)$/.test(type))).toEqual([]);
  },
);

test("a result that is refused again and again does not block the next one", async () => {
  const server = await listenTestApp();
  const ids: string[] = [];
  const refused = { test: (path: string) => path.endsWith(`/${ids[0]}/result`) };
  const refusals = { times: Number.POSITIVE_INFINITY, retryAfter: 0 };
  const front = await frontOf(server, refused, [403, refusal("FORBIDDEN")], refusals);
  const run = (_payload: unknown, { command }: ActionContext) => void ids.push(command.id);
  const tested = await startAgent(server, serviceWith({ execute: run }), {
    server: front.url,
    timing: { ...fast, flushSeconds: 0.01 },
  });
  await execute(server);
  await tested.event("result.retry");
  expect(await ended(server, await execute(server))).toMatchObject({ status: "SUCCEEDED" });
});

test("an output that is too large or malformed is omitted, a failure keeps its code, and a form that is too large fails the prepare", async () => {
  const text = "x".repeat(3000);
  const deep = JSON.parse(`${"[".repeat(40)}${"]".repeat(40)}`);
  let run: () => unknown = () => text;
  const { server, tested } = await startPair(
    serviceWith({ prepare: () => ({ currentState: text }), execute: () => run() }),
    {},
    { COMMAND_RESULT_MAX_BYTES: "1024" },
  );
  const command = async () => ended(server, await execute(server));
  const output = { truncated: true, bytes: 3002 };
  expect(await command()).toMatchObject({ status: "SUCCEEDED", result: { output } });
  const shortened = await tested.event("result.shortened");
  expect(shortened).toMatchObject({ code: "COMMAND_RESULT_TOO_LARGE" });
  run = () => deep;
  const omitted = { output: { truncated: true } };
  expect(await command()).toMatchObject({ status: "SUCCEEDED", result: omitted });
  run = () => Promise.reject(new Error(text));
  expect(await command()).toMatchObject({ status: "FAILED", errorCode: "ACTION_FAILED" });
  const params = await paramsOf(server);
  await expect(server.as("operator").call("actions.prepare", { params })).rejects.toMatchObject({
    code: "ACTION_PREPARE_FAILED",
    details: { code: "ACTION_PREPARE_INVALID" },
  });
});

test("a large result that breaks every connection counts as too large", async () => {
  const { server, wire } = await openWire();
  wire.breaksOver = 40_000;
  const run = () => "x".repeat(200_000);
  const tested = await startAgent(server, serviceWith({ execute: run }), { server: wire.url });
  const command = await ended(server, await execute(server));
  expect(command).toMatchObject({ status: "SUCCEEDED", result: { output: { truncated: true } } });
  expect(await tested.event("result.shortened")).toMatchObject({ code: "UNREACHABLE" });
});

test("a command fails without running if the journal cannot be written", async () => {
  let runs = 0;
  const services = serviceWith({ execute: () => ++runs });
  const { server, tested: first } = await startPair(services);
  await first.agent.stop();
  // Without a registration, an agent opens its journal for the first command.
  const { stateDir } = first;
  const tested = await startAgain({ server: server.url, stateDir, services });
  rmSync(stateDir, { recursive: true });
  const command = await ended(server, await execute(server));
  expect(command).toMatchObject({ status: "FAILED", errorCode: "AGENT_STORAGE_FAILED" });
  expect(runs).toBe(0);
  await tested.event("journal.failed");
  await tested.agent.stop();
  expect(tested.events.map(({ type }) => type)).not.toContain("agent.failed");
});

test("on a connection that keeps breaking, every command runs once and succeeds", async () => {
  const { server, wire } = await openWire();
  const runs: string[] = [];
  const run = (_payload: unknown, { command }: ActionContext) => void runs.push(command.id);
  await startAgent(server, serviceWith({ execute: run }), { server: wire.url, concurrency: 8 });
  let seen = 0;
  wire.loseAnswer = () => ++seen % 5 === 0;
  const ids: string[] = [];
  for (let i = 0; i < size(15, 40); i++) ids.push(await execute(server));
  for (const id of ids) expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(runs.sort()).toEqual(ids.sort());
});

test("two agents with the same code do not displace each other endlessly", async () => {
  const server = await listenTestApp();
  const timing = { ...fast, refusedRetrySeconds: 30 };
  let tokens = 0;
  const token = () => {
    tokens++;
    return registrationToken(server);
  };
  const first = await startAgent(server, [], { timing, registrationToken: token });
  const second = await startAgent(server, [], { timing, registrationToken: token });
  await first.event("accepted");
  await second.event("accepted");
  // Each agent has registered again once. The agent that lost its token last is waiting.
  await until(() => refusals(first.events) + refusals(second.events) === 3, "the third refusal");
  expect(tokens).toBe(4);
});

function refusals(events: AgentEvent[]): number {
  return events.filter((event) => event.type === "refused").length;
}
