// Agents send the output of their commands, which operators read while the commands run.

import { expect } from "vitest";
import { expireCommands } from "../../../src/core/commands/endings.ts";
import { pruneCommands } from "../../../src/core/commands/retention.ts";
import { commandOutput } from "../../../src/domain/limits.ts";
import type { OutputChunk } from "../../../src/domain/output/output.ts";
import { everyRow, isStored } from "../../helpers/stored.ts";
import { beforeNextWrite } from "../../helpers/wrapped-writes.ts";
import { expectRefused } from "../refusals.ts";
import { test as base, collector, openScene, type Scene } from "../scene.ts";

const secretive = {
  ...collector,
  actions: [
    {
      name: "rotate",
      timeoutSeconds: 60,
      inputSchema: { properties: { pin: { type: "string", format: "password" } } },
    },
  ],
};

async function openRunning(payload: object = {}) {
  const scene = await openScene({}, [secretive]);
  const id = await scene.execute({ payload });
  await scene.poll();
  return talk(scene, id);
}

function talk(scene: Scene, id: string) {
  const params = { commandId: id };
  const { agent, as } = scene;
  return {
    scene,
    id,
    send: async (...chunks: OutputChunk[]) =>
      (await agent.client.call("agent.output", { params, body: { chunks } })).nextOffset,
    sendEnd: (end: boolean, ...chunks: OutputChunk[]) =>
      agent.client.call("agent.output", { params, body: { chunks, end } }),
    read: (query: { after?: number; wait?: number } = {}) =>
      as("viewer").call("commands.output", { params, query }),
  };
}

const test = base.extend("running", () => openRunning());

const out = (offset: number, text: string): OutputChunk => ({ offset, stream: "stdout", text });
const err = (offset: number, text: string): OutputChunk => ({ offset, stream: "stderr", text });

test("output is read in order while the command runs, and after its end", async ({
  running: { scene, id, send, read },
}) => {
  expect(await read()).toEqual({
    commandId: id,
    status: "RUNNING",
    parts: [],
    nextOffset: 0,
    complete: false,
  });
  expect(await send(out(0, "one\n"), err(4, "two\n"))).toBe(8);
  expect(await send(err(4, "two\n"), out(10, "three\n"))).toBe(16);
  // A call without chunks asks where to continue.
  expect(await send()).toBe(16);
  const { parts, ...rest } = await read();
  expect(parts).toEqual([
    { kind: "TEXT", offset: 0, bytes: 4, stream: "stdout", text: "one\n", at: expect.any(String) },
    { kind: "TEXT", offset: 4, bytes: 4, stream: "stderr", text: "two\n", at: expect.any(String) },
    { kind: "LOST", offset: 8, bytes: 2 },
    expect.objectContaining({ offset: 10, text: "three\n" }),
  ]);
  expect(rest).toMatchObject({ nextOffset: 16, complete: false });
  expect((await read({ after: 8 })).parts).toHaveLength(2);
  await scene.result(id);
  expect(await read({ after: 16, wait: 60 })).toMatchObject({ parts: [], complete: true });
  expect(await scene.auditOf(id)).toEqual([
    "command.created",
    "command.dispatched",
    "command.completed",
  ]);
});

test("long output is bounded, and read in pages", async ({
  running: { scene, id, send, read },
}) => {
  const size = commandOutput.maxChunkLength;
  const { firstPages, lastPages } = commandOutput;
  const count = firstPages + lastPages + 10;
  for (let page = 0; page < count; page += 5) {
    const numbers = Array.from({ length: Math.min(5, count - page) }, (_, n) => page + n);
    await send(...numbers.map((n) => out(n * size, String(n % 10).repeat(size))));
  }
  expect(await scene.count("command_output_pages")).toBe(firstPages + lastPages);
  await scene.result(id);
  let after = 0;
  let omitted = 0;
  for (let isOver = false; !isOver; ) {
    const page = await read({ after });
    expect(page.parts.length).toBeLessThanOrEqual(commandOutput.pagesPerRead + 1);
    for (const { kind, offset, bytes } of page.parts) {
      expect(offset).toBe(after);
      after += bytes;
      if (kind === "OMITTED") omitted += bytes;
    }
    expect(page.nextOffset).toBe(after);
    isOver = page.complete;
  }
  expect([after, omitted]).toEqual([count * size, 10 * size]);
});

test("the payload's secrets are removed, also when they are split", async () => {
  const { scene, send, read } = await openRunning({ pin: "hunter2", token: "swordfish" });
  await send(out(0, "pin hun"));
  await send(out(7, "ter2, swordfish\n"));
  const { parts } = await read();
  expect(parts.map(({ text }) => text).join("")).toBe("pin [REDACTED], [REDACTED]\n");
  expect(await isStored(scene, "ter2, ")).toBe(false);
});

test("what may be the beginning of a secret is read when the command has ended", async () => {
  const { scene, id, send, read } = await openRunning({ pin: "hunter2-hunter2" });
  expect(await send(out(0, "a hunt"))).toBe(6);
  expect(await read()).toMatchObject({ parts: [{ text: "a " }], nextOffset: 2, complete: false });
  const waiting = read({ after: 2, wait: 60 });
  await scene.result(id);
  expect(await waiting).toMatchObject({ parts: [{ text: "hunt" }], nextOffset: 6, complete: true });
});

test("most of a secret is not read, and is not stored after the end", async () => {
  const { scene, id, send, read } = await openRunning({ pin: "hunter2-hunter2" });
  await send(out(0, "a hunter2-hunt"));
  expect((await read()).parts.map(({ text }) => text)).toEqual(["a "]);
  await scene.result(id);
  expect((await read()).parts.map(({ text }) => text)).toEqual(["a ", "[REDACTED]"]);
  expect(JSON.stringify(await everyRow(scene))).not.toContain("hunter2-hunt");
});

test("a control sequence that is split between two calls is removed", async ({ running }) => {
  const { send, read } = running;
  await send(out(0, "x\u001b[3"));
  await send(out(4, "1mred\u001b]0;ti"));
  await send(out(17, "tle\u0007 y\n"));
  expect((await read()).parts.map(({ text }) => text).join("")).toBe("xred y\n");
});

test("output is complete at the command's end if the announced end has come", async ({
  running: { scene, id, send, sendEnd, read },
}) => {
  await send(out(0, "a\n"));
  await sendEnd(false);
  await sendEnd(true);
  await scene.result(id);
  expect(await read({ after: 2 })).toMatchObject({ parts: [], complete: true });
});

test("a reader waits for the announced end", async ({ running }) => {
  const { scene, id, sendEnd, read } = running;
  await sendEnd(false, out(0, "a\n"));
  await scene.result(id);
  expect(await read()).toMatchObject({ parts: [{ text: "a\n" }], complete: false });
  const waiting = read({ after: 2, wait: 60 });
  await sendEnd(true, out(2, "b\n"));
  expect(await waiting).toMatchObject({ parts: [{ text: "b\n" }] });
  expect(await read({ after: 4, wait: 60 })).toMatchObject({ parts: [], complete: true });
});

test.for<[what: string, end: (scene: Scene, id: string) => unknown]>([
  [
    "does not come in time",
    async (scene, id) => {
      await scene.result(id);
      scene.clock.advance(commandOutput.lateSeconds * 1000);
    },
  ],
  [
    "has not come when the clock is set back",
    async (scene, id) => {
      await scene.result(id);
      scene.clock.jump(-3_600_000);
    },
  ],
  [
    "cannot come because the agent has restarted",
    (scene, id) => scene.result(id, { success: false, error: { code: "AGENT_RESTARTED" } }),
  ],
])("an announced end that %s is marked as missing", async ([_, end], { running }) => {
  const { scene, id, sendEnd, read } = running;
  await sendEnd(false, out(0, "a\n"));
  await end(scene, id);
  expect(await read({ after: 2 })).toMatchObject({
    parts: [{ kind: "LOST", offset: 2, bytes: 0 }],
    nextOffset: 2,
    complete: true,
  });
});

const restarted = { success: false, error: { code: "AGENT_RESTARTED" } };
const missing = [{ kind: "LOST", offset: 0, bytes: 0 }];

test.for<[how: string, end: (scene: Scene, id: string) => unknown, parts: object[]]>([
  ["the agent has restarted", (scene, id) => scene.result(id, restarted), missing],
  ["the agent has not answered in time", expireAfter(60), missing],
  ["the action failed", (scene, id) => scene.result(id, { ...restarted, error: {} }), []],
  ["an operator has cancelled it", (scene, id) => scene.cancel(id), []],
])("if a command without output ends because %s", async ([_, end, parts], { running }) => {
  await end(running.scene, running.id);
  expect(await running.read()).toMatchObject({ parts, nextOffset: 0, complete: true });
});

test("a command that was never delivered misses no output", async ({ running: { scene } }) => {
  const { id, read } = talk(scene, await scene.execute());
  await expireAfter(1000)(scene);
  const command = await scene.as("viewer").call("commands.get", { params: { commandId: id } });
  expect(command).toMatchObject({ errorCode: "COMMAND_EXPIRED" });
  expect(await read()).toMatchObject({ parts: [], complete: true });
});

function expireAfter(seconds: number) {
  return ({ clock, app }: Scene) => {
    clock.advance(seconds * 1000);
    return expireCommands(app.core);
  };
}

test("deleting a command deletes its output", async ({ running: { scene, id, send } }) => {
  await send(out(0, "one\n"));
  await scene.result(id);
  scene.clock.advance(400 * 24 * 60 * 60_000);
  await pruneCommands(scene.app.core, scene.clock.now());
  expect(await scene.count("command_output_pages")).toBe(0);
});

test("output is accepted for a short time after a command has ended", async ({
  running: { scene, id, send, read },
}) => {
  await scene.cancel(id);
  expect(await send(out(0, "one\n"))).toBe(4);
  scene.clock.advance(commandOutput.graceSeconds * 1000 + 1);
  await expectRefused(send(out(4, "two\n")), "COMMAND_ALREADY_COMPLETED");
  expect((await read()).parts).toHaveLength(1);
});

test("after the end of a command with secrets, its output counts as lost", async () => {
  const { scene, id, send, read } = await openRunning({ pin: "hunter2" });
  await send(out(0, "one\n"));
  await scene.result(id);
  expect(await send(out(4, "hunter2\n"), err(12, "hunter2\n"))).toBe(20);
  const { parts } = await read();
  expect(parts.slice(1)).toEqual([{ kind: "LOST", offset: 4, bytes: 16 }]);
  expect(await isStored(scene, "hunter2\\n")).toBe(false);
});

test("only the agent that runs the command can send output", async ({ running }) => {
  const { scene, id, send } = running;
  const other = await scene.registerAgent("edge-2");
  const body = { chunks: [out(0, "x")] };
  const call = (commandId: string, { client } = scene.agent) =>
    client.call("agent.output", { params: { commandId }, body });
  await expect(call(id, other)).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
  await expect(call("cmd_none")).rejects.toMatchObject({ code: "COMMAND_NOT_FOUND" });
  const notRunning = { code: "COMMAND_NOT_RUNNING" };
  await expect(call(await scene.execute())).rejects.toMatchObject(notRunning);
  const cancelled = await scene.execute();
  await scene.cancel(cancelled);
  await expect(call(cancelled)).rejects.toMatchObject({ code: "COMMAND_ALREADY_COMPLETED" });
  expect(await send()).toBe(0);
});

test("an agent whose token is revoked while its output is taken stores nothing", async ({
  running: { scene, send, read },
}) => {
  const { agentId } = scene.agent;
  beforeNextWrite(scene.database, () =>
    scene.as("operator").call("agents.revoke-token", { params: { agentId } }),
  );
  await expectRefused(send(out(0, "one\n")), "UNAUTHORIZED");
  expect((await read()).parts).toEqual([]);
});

test("a prepare has no output, and misses none if the agent has restarted", async ({
  running: { scene },
}) => {
  const params = { serviceId: scene.serviceId, actionName: "rotate" };
  const preparing = scene.as("operator").call("actions.prepare", { params });
  const [commandId = ""] = await scene.poll({ wait: 20 });
  const { send, read } = talk(scene, commandId);
  await expect(send(out(0, "x"))).rejects.toMatchObject({ code: "COMMAND_NOT_RUNNING" });
  await scene.result(commandId, restarted);
  await expect(preparing).rejects.toMatchObject({ code: "ACTION_PREPARE_FAILED" });
  expect(await read()).toMatchObject({ parts: [], complete: true });
});

test.for<[what: string, chunk: object, path: string]>([
  ["a negative offset", { ...out(-1, "x") }, "chunks.0.offset"],
  ["a text that is too long", out(0, "x".repeat(16 * 1024 + 1)), "chunks.0.text"],
])("%s is refused", async ([_, chunk, path], { running: { send, read } }) => {
  const refused = { code: "VALIDATION_FAILED", details: { issues: [{ path }] } };
  await expect(send(chunk as OutputChunk)).rejects.toMatchObject(refused);
  expect((await read()).parts).toEqual([]);
});

test("an agent that sends too often is slowed down, and its results are not", async ({
  running: { scene, id, send },
}) => {
  const { calls } = commandOutput.callsPerAgent;
  for (let call = 0; call < calls; call++) await send(out(call, "x"));
  const refusal = await send(out(calls, "x")).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "RATE_LIMITED" });
  expect((refusal as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(0);
  expect(scene.app.core.limitWatch.counts().commandOutput).toBe(1);
  expect(await scene.result(id)).toMatchObject({ status: "SUCCEEDED" });
});

test("many calls at the same time are stored or refused, and nothing is lost", async ({
  running: { scene, send, read },
}) => {
  const calls = Array.from({ length: 100 }, () => send(out(0, "x".repeat(1000))));
  const outcomes = await Promise.allSettled(calls);
  const stored = outcomes.filter(({ status }) => status === "fulfilled");
  expect(stored.length).toBe(commandOutput.storedAtOnce + commandOutput.mostWaiting);
  expect((await read()).parts).toHaveLength(1);
  expect(scene.app.core.limitWatch.counts().commandOutput).toBe(100 - stored.length);
});
