// An operator cancels a running command, and the agent reports the outcome.

import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Service } from "../../src/agent/index.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { type ListeningApp, listenTestApp } from "../helpers/http/http.ts";
import { isAlive } from "../helpers/process/alive.ts";
import {
  commandOf,
  cutOff,
  ended,
  execute,
  serviceWith,
  startAgain,
  startAgent,
  startPair,
  startWired,
  until,
} from "./harness.ts";
import { plain, startSidecar } from "./sidecar/start-sidecar.ts";

function cancel(server: ListeningApp, commandId: string) {
  return server.as("operator").call("commands.cancel", { params: { commandId } });
}

function confirmed(server: ListeningApp, commandId: string) {
  return until(async () => {
    const command = await commandOf(server, commandId);
    return command.cancelOutcome !== "UNCONFIRMED" && command;
  }, "the agent's report on the cancellation");
}

const untilAborted = (signal: AbortSignal, then: (reason: unknown) => void) =>
  signal.addEventListener("abort", () => then(signal.reason));

test("operators see how a cancelled handler ends, and the command remains CANCELLED", async () => {
  const ends: [run: (signal: AbortSignal) => Promise<unknown>, outcome: object][] = [
    [
      (signal) => new Promise((_, reject) => untilAborted(signal, reject)),
      {
        cancelOutcome: "STOPPED",
        lateResult: { success: false, error: { code: "COMMAND_CANCELLED" } },
      },
    ],
    [
      (signal) =>
        new Promise((_, reject) => untilAborted(signal, () => reject(new Error("undone")))),
      { cancelOutcome: "STOPPED", lateResult: { error: { message: "undone" } } },
    ],
    [
      (signal) => new Promise((resolve) => untilAborted(signal, () => resolve("all of it"))),
      { cancelOutcome: "FINISHED", lateResult: { success: true, output: "all of it" } },
    ],
  ];
  let run: (signal: AbortSignal) => Promise<unknown> = async () => "the next one";
  const last = run;
  const services = serviceWith({ execute: (_payload, { signal }) => run(signal) });
  // If the cancellation did not end the poll, the test would take a minute.
  const timing = { pollWaitSeconds: 60, heartbeatSeconds: 60 };
  const { server, tested } = await startPair(services, { timing });
  for (const [end, outcome] of ends) {
    run = end;
    const id = await execute(server);
    await tested.event("command.started", ({ commandId }) => commandId === id);
    await cancel(server, id);
    expect(await confirmed(server, id)).toMatchObject({ status: "CANCELLED", ...outcome });
    await tested.event("command.cancelled", ({ commandId }) => commandId === id);
    await tested.event("result.acknowledged", ({ commandId, status }) => {
      return commandId === id && status === "CANCELLED";
    });
  }
  // The clock of the test's server differs from the agent's.
  const warnings = tested.events.filter(
    ({ level, type }) => level === "warn" && type !== "clock.off",
  );
  expect(warnings).toEqual([]);
  run = last;
  const next = await ended(server, await execute(server));
  expect(next).toMatchObject({ status: "SUCCEEDED", result: { output: "the next one" } });
});

test("an agent killed between cancellation and confirmation reports the outcome as unknown", async () => {
  const run = { execute: () => new Promise(() => undefined) };
  const { server, wire, tested: first } = await startWired(serviceWith(run), { timing: cutOff });
  const id = await execute(server);
  await first.event("command.started");
  wire.up = false;
  await cancel(server, id);
  const stateDir = join(temporaryFolder(), "state");
  cpSync(first.stateDir, stateDir, { recursive: true });
  const second = await startAgain({ server: server.url, stateDir, services: serviceWith(run) });
  expect(await confirmed(server, id)).toMatchObject({
    status: "CANCELLED",
    cancelOutcome: "UNKNOWN",
    lateResult: { error: { code: "AGENT_RESTARTED" } },
  });
  expect(await second.event("command.finished")).toMatchObject({
    commandId: id,
    errorCode: "AGENT_RESTARTED",
  });
});

test.each<[string, (server: ListeningApp, stateDir: string, services: Service[]) => unknown]>([
  [
    "an agent that has lost its journal",
    (server, stateDir, services) => {
      rmSync(join(stateDir, "journal.jsonl"));
      return startAgain({ server: server.url, stateDir, services });
    },
  ],
  ["an agent that replaces another host", (server, _, services) => startAgent(server, services)],
  [
    "an agent that registers again, with a journal from long ago,",
    (server, stateDir, services) => {
      rmSync(join(stateDir, "token.json"));
      writeFileSync(join(stateDir, "journal.jsonl"), `{"journal":1}\n`);
      return startAgent(server, services, { stateDir });
    },
  ],
])("%s reports the outcome of an earlier command as unknown", async (_, start) => {
  const services = serviceWith({ execute: () => new Promise(() => undefined) });
  const { server, wire, tested: first } = await startWired(services, { timing: cutOff });
  const id = await execute(server);
  await first.event("command.started");
  wire.up = false;
  await cancel(server, id);
  const stateDir = join(temporaryFolder(), "state");
  cpSync(first.stateDir, stateDir, { recursive: true });
  await start(server, stateDir, services);
  expect(await confirmed(server, id)).toMatchObject({
    cancelOutcome: "UNKNOWN",
    lateResult: { error: { code: "AGENT_RESTARTED" } },
  });
});

test("an agent that never got a cancelled command reports that it was not run", async () => {
  const { server, tested } = await startPair(serviceWith({}));
  await tested.agent.stop();
  const id = await execute(server, {}, "collector", true);
  const bearer = JSON.parse(readFileSync(join(tested.stateDir, "token.json"), "utf8")).agentToken;
  await fetch(`${server.url}/api/agents/commands?wait=0`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  await cancel(server, id);
  // The journal began long ago.
  writeFileSync(join(tested.stateDir, "journal.jsonl"), `{"journal":1}\n`);
  await startAgain({
    server: server.url,
    stateDir: tested.stateDir,
    services: serviceWith({}),
  });
  expect(await confirmed(server, id)).toMatchObject({
    cancelOutcome: "STOPPED",
    lateResult: { error: { message: expect.stringContaining("not run") } },
  });
});

test("the sidecar ends the program and its children before it confirms the cancellation", async () => {
  const server = await listenTestApp();
  const command = ["sh", "-c", "sleep 600 & echo $! > child; echo $$ > pid; mv pid leader; wait"];
  const actions = [{ name: "work", execute: { exec: { command } } }];
  const { folder } = await startSidecar(server, { services: [plain("collector", { actions })] });
  const id = await execute(server);
  await until(() => existsSync(join(folder, "leader")), "the program");
  const pids = ["leader", "child"].map((name) => Number(readFileSync(join(folder, name), "utf8")));
  expect(pids.map(isAlive)).toEqual([true, true]);
  await cancel(server, id);
  expect(await confirmed(server, id)).toMatchObject({ cancelOutcome: "STOPPED" });
  expect(pids.map(isAlive)).toEqual([false, false]);
});

test("a server that does not respond does not delay the shutdown", async () => {
  const timing = { ...cutOff, pollWaitSeconds: 60 };
  const { wire, tested } = await startWired(serviceWith({}), { timing });
  wire.holdAnswer = () => new Promise(() => undefined);
  await tested.agent.stop();
});
