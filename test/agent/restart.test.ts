// A test simulates a crash with a copy of the state folder, made while its agent is cut off.

import {
  appendFileSync,
  cpSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { duplicationShownMs } from "../../src/domain/fleet/agent-instances.ts";
import { temporaryFolder } from "../helpers/app.ts";
import type { ListeningApp } from "../helpers/http/http.ts";
import { size } from "../helpers/size.ts";
import {
  commandOf,
  cutOff,
  ended,
  execute,
  fast,
  makeAgent,
  serviceWith,
  startAgain,
  startAgent,
  startPair,
  startWired,
  type TestedAgent,
  until,
  wireTo,
} from "./harness.ts";

/** Copies the state folder as a crash at this moment would leave it. */
function crashOf({ stateDir }: TestedAgent): string {
  const copy = join(temporaryFolder(), "state");
  cpSync(stateDir, copy, { recursive: true });
  return copy;
}

/** Starts an agent with this state folder, so it need not register. */
function startFrom(stateDir: string, server: ListeningApp, run: () => unknown) {
  return startAgain({ server: server.url, stateDir, services: serviceWith({ execute: run }) });
}

test("a restarted agent does not register again, sends its new version, and remembers the commands that it ran", async () => {
  let runs = 0;
  const run = () => ++runs;
  const { server, tested: first } = await startPair(serviceWith({ execute: run }));
  const id = await execute(server);
  await ended(server, id);
  await first.agent.stop();
  const second = await startAgain({
    server: server.url,
    stateDir: first.stateDir,
    agent: { code: "edge-1", mode: "embedded", version: "2.0.0", labels: { site: "cellar" } },
    services: serviceWith({ execute: run }),
  });
  expect(second.agent.agentId).toBe(first.agent.agentId);
  const types = second.events.map((event) => event.type);
  expect(types.filter((type) => type !== "clock.off")).toEqual(["reported"]);
  const { data } = await server.as("viewer").page("agents.list", {});
  expect(data).toMatchObject([{ version: "2.0.0", labels: { site: "cellar" } }]);
  expect(await ended(server, await execute(server))).toMatchObject({ result: { output: 2 } });
  expect(readFileSync(join(first.stateDir, "journal.jsonl"), "utf8")).toContain(id);
});

test("a command that a crash interrupted fails and is not run again", async () => {
  let runs = 0;
  const run = () => new Promise(() => runs++);
  const {
    server,
    wire,
    tested: first,
  } = await startWired(serviceWith({ execute: run }), { timing: cutOff });
  const id = await execute(server);
  await first.event("command.started");
  wire.up = false;
  await startFrom(changedServer(crashOf(first), server.url), server, () => ++runs);
  expect(await ended(server, id)).toMatchObject({ status: "FAILED", errorCode: "AGENT_RESTARTED" });
  expect([runs, (await commandOf(server, id)).deliveries]).toEqual([1, 1]);
});

test("a result stored before a crash but not acknowledged is sent", async () => {
  let runs = 0;
  const run = () => {
    wire.up = false;
    return ++runs;
  };
  const {
    server,
    wire,
    tested: first,
  } = await startWired(serviceWith({ execute: run }), { timing: cutOff });
  const id = await execute(server);
  await first.event("result.retry");
  await startFrom(changedServer(crashOf(first), server.url), server, () => ++runs);
  expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED", result: { output: 1 } });
  expect(runs).toBe(1);
});

const lostJournals: [loss: string, lose: (file: string) => void, warns: string][] = [
  ["truncated to half", (file) => truncateSync(file, statSync(file).size >> 1), "journal.repaired"],
  ["deleted", (file) => rmSync(file), "journal.lost"],
];

test.each(lostJournals)(
  "if the journal is %s, nothing that was delivered before runs again",
  async (_, lose, warns) => {
    let runs = 0;
    const run = () => new Promise(() => runs++);
    const wired = await startWired(serviceWith({ execute: run }), { timing: cutOff });
    const { server, wire, tested: first } = wired;
    const interrupted = await execute(server);
    await first.event("command.started");
    wire.up = false;
    const stateDir = changedServer(crashOf(first), server.url);
    lose(join(stateDir, "journal.jsonl"));
    // The agent remembers the loss beyond its next start, which finds an undamaged journal.
    const second = await startFrom(stateDir, server, () => ++runs);
    expect(await second.event(warns as "journal.lost")).toMatchObject({ level: "warn" });
    await second.agent.stop();
    await startFrom(stateDir, server, () => ++runs);
    const later = await execute(server);
    expect(await ended(server, later)).toMatchObject({
      status: "SUCCEEDED",
      result: { output: 2 },
    });
    const { status, errorCode, deliveries } = await commandOf(server, interrupted);
    expect([runs, deliveries]).toEqual([2, 1]);
    // If the journal still has a record of the command, the agent reports that it has ended.
    expect([status, errorCode]).toEqual(
      status === "RUNNING" ? ["RUNNING", null] : ["FAILED", "AGENT_RESTARTED"],
    );
  },
);

test("a command whose record is torn may have started, so it fails and is not run", async () => {
  const { server, wire, tested: first } = await startWired(serviceWith({}), { timing: cutOff });
  await execute(server);
  await first.event("result.acknowledged");
  // The delivery never arrives. The torn line represents one that a crash or damage has cut off.
  wire.loseAnswer = (text) => text.includes('"payload"');
  const id = await execute(server);
  await first.event("connection.lost");
  wire.up = false;
  const stateDir = changedServer(crashOf(first), server.url);
  appendFileSync(join(stateDir, "journal.jsonl"), `{"id":"${id}","state":"recei`);
  const second = await startFrom(stateDir, server, () => "ran");
  expect(await second.event("journal.repaired")).toMatchObject({ lines: 1 });
  expect(await ended(server, id)).toMatchObject({ status: "FAILED", errorCode: "AGENT_RESTARTED" });
});

test("two programs with copies of one state folder run each command once, and operators see them", async () => {
  const runs: string[] = [];
  let isOpen = false;
  const run = async (_: object, { command }: { command: { id: string } }) => {
    runs.push(command.id);
    await until(() => isOpen, "the end of the test");
  };
  const { server, tested: first } = await startPair(serviceWith({ execute: run }));
  // The clone is made before the command, so the clone does not know the command.
  const stateDir = crashOf(first);
  const ids = [await execute(server, {}, "collector")];
  await first.event("command.started");
  await startFrom(stateDir, server, run as () => unknown);
  const viewer = server.as("viewer");
  await until(async () => {
    const { duplicatedAgents } = await viewer.call("overview.get", {});
    return duplicatedAgents.some(({ agentCode }) => agentCode === "edge-1");
  }, "the duplicated agent");
  for (let turn = 0; turn < size(5, 20); turn++) ids.push(await execute(server, {}, "collector"));
  isOpen = true;
  for (const id of ids) expect(await ended(server, id)).toMatchObject({ deliveries: 1 });
  expect(runs.toSorted()).toEqual(ids.toSorted());
});

test("an agent without its record of commands asks for lost deliveries again after a day", async () => {
  const { server, tested: first } = await startPair(serviceWith({}));
  await first.agent.stop();
  const file = join(first.stateDir, "journal.jsonl");
  const day = 24 * 60 * 60 * 1000;
  const heldOf = async (incompleteForMs: number) => {
    writeFileSync(file, `${JSON.stringify({ journal: 1, incompleteForMs })}\n`);
    const wire = await wireTo(server);
    let sent = "";
    wire.onSent = (text) => {
      sent += text;
    };
    const stateDir = changedServer(crashOf(first), wire.url);
    const second = await startAgain({ server: wire.url, stateDir, services: [], timing: cutOff });
    await until(() => sent.includes("/commands?"), "a poll");
    await second.agent.stop();
    return sent.includes("held=");
  };
  expect([await heldOf(0), await heldOf(day)]).toEqual([false, true]);
});

test("an acknowledged command that is delivered again gets a result but does not run", async () => {
  let runs = 0;
  const { server, tested: first } = await startPair(serviceWith({ execute: () => ++runs }));
  await first.agent.stop();
  const id = await execute(server, {}, "collector", true);
  const line = { id, state: "acknowledged", at: Date.now() };
  appendFileSync(join(first.stateDir, "journal.jsonl"), `${JSON.stringify(line)}\n`);
  const second = await startFrom(first.stateDir, server, () => ++runs);
  expect(await ended(server, id)).toMatchObject({ errorCode: "COMMAND_ALREADY_RUN" });
  expect(await second.event("command.redelivered")).toMatchObject({ commandId: id });
  expect(runs).toBe(0);
});

test("a token file is valid only for its agent code", async () => {
  const { server, agent, stateDir } = await startPair([]);
  await agent.stop();
  const options = { server: server.url, stateDir, services: [] };
  const other = makeAgent({ ...options, agent: { code: "edge-2", mode: "embedded" } });
  await expect(other.agent.start()).rejects.toMatchObject({ code: "REGISTRATION_TOKEN_MISSING" });
  writeFileSync(join(stateDir, "token.json"), "{");
  await expect(makeAgent(options).agent.start()).rejects.toMatchObject({ code: "STATE_UNUSABLE" });
});

/** Replaces the URL in the token file, because only the crashed agent was behind a wire. */
function changedServer(stateDir: string, url: string): string {
  const file = join(stateDir, "token.json");
  const identity = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...identity, server: url }));
  return stateDir;
}

test("a description that the server refuses in a heartbeat is reported, and the agent still starts", async () => {
  const agent = { code: "edge-1", mode: "embedded" };
  const { server, tested: first } = await startPair([], { agent });
  await first.agent.stop();
  const { stateDir } = first;
  const start = async (runtime: object) => {
    const described = { ...agent, runtime: runtime as Record<string, string> };
    const tested = makeAgent({ server: server.url, stateDir, agent: described, services: [] });
    await tested.agent.start();
    await tested.agent.stop();
    return tested.events.find(({ type }) => type === "description.refused");
  };
  expect(await start({ text: "x".repeat(66_000) })).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  // This runtime is small enough, but has more entries than a heartbeat may have.
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${n}`, 1]));
  expect(await start(many)).toMatchObject({ level: "warn", code: expect.any(String) });
  expect(await start({ text: "x" })).toBeUndefined();
  const again = await startAgent(server, [], { agent });
  const change = () => again.agent.describe({ runtime: "x".repeat(66_000) });
  expect(change).toThrow("Cannot change the agent's description: agent: name, version, runtime");
});

test("an agent whose state was copied warns once that another program uses its token, and says when that ends", async () => {
  const timing = { ...fast, heartbeatSeconds: 0.05 };
  const { server, tested } = await startPair(serviceWith({ execute: () => null }), { timing });
  const stateDir = crashOf(tested);
  const services = serviceWith({ execute: () => null });
  const copy = await startAgain({ server: server.url, stateDir, timing, services });
  const { level, message } = await tested.event("token.shared");
  expect([level, message]).toEqual([
    "warn",
    expect.stringMatching(
      /^In the last five minutes, another program used this agent's token\. .*--agent edge-1 --replace$/,
    ),
  ]);
  await copy.event("token.shared");
  await copy.agent.stop();
  // The agent's first call after the copy has stopped may come only after the first advance.
  await until(() => {
    server.clock.advance(duplicationShownMs + 1);
    return tested.events.some(({ type }) => type === "token.unshared");
  }, "the end of the warning");
  expect(tested.events.filter(({ type }) => type === "token.shared")).toHaveLength(1);
});
