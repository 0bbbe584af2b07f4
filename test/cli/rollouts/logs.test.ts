// `rollouts logs` prints the output of one service, or of all services at once.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "vitest";
import { showAllLogs } from "../../../src/cli/commands/rollouts/all-logs.ts";
import type { Client } from "../../../src/client/client.ts";
import type { PageNumber } from "../../../src/lib/whole-list.ts";
import { until } from "../../helpers/process/process.ts";
import { following } from "../following.ts";
import { failing, test, type World } from "../world.ts";

/** Longer than a code can be. */
const longName = `Tenth web server ${"x".repeat(150)}`;

/** A rollout that runs on `web-1` and `web-10`, and the calls of their agent. */
async function openRunning(world: World) {
  const actions = [{ name: "upgrade", prepare: false }];
  const names = { "web-1": "First web server", "web-10": longName };
  const services = Object.entries(names).map(([code, name]) => ({
    code,
    name,
    version: "1",
    actions,
  }));
  const { client } = await world.registerAgent("edge-3", services);
  world.app.core.rollouts.start();
  const words = ["rollouts", "start", "upgrade", "--agent", "edge-3", "--max-failures", "1"];
  const { stdout } = await world.run("--server", [...words, "--yes", "-o", "name"]);
  const commandIds = new Map<string, string>();
  await until("both commands", async () => {
    const { commands } = await client.call("agent.poll", { query: { wait: 0 } });
    for (const { id, serviceCode } of commands) commandIds.set(serviceCode, id);
    return commandIds.size === 2;
  });
  const sent = new Map<string, number>();
  const params = (code: string) => ({ commandId: commandIds.get(code) ?? "" });
  return {
    id: stdout.trim(),
    async send(code: string, text: string) {
      const offset = sent.get(code) ?? 0;
      sent.set(code, offset + Buffer.byteLength(text));
      const chunks = [{ offset, stream: "stdout" as const, text }];
      await client.call("agent.output", { params: params(code), body: { chunks } });
    },
    end: (code: string, success: boolean) =>
      client.call("agent.result", { params: params(code), body: { success } }),
  };
}

test("`logs` prints the output of all services in the order in which they run, or of one", async ({
  world,
}) => {
  const { id, send } = await openRunning(world);
  const run = (...flags: string[]) => world.run("--server", ["rollouts", "logs", id, ...flags]);
  expect(await run()).toEqual({ status: 0, stdout: "", stderr: "" });
  await send("web-1", "one\ntwo");
  await send("web-10", "\u001b[2Jten\n");
  const listed = await world.run("--server", ["rollouts", "targets", id, "-o", "name"]);
  const order = listed.stdout.trim().split("\n");
  const texts: Record<string, string> = {
    "web-1": "web-1   | one\nweb-1   | two\n",
    "web-10": "web-10  | ten\n",
  };
  expect((await run()).stdout).toBe(order.map((code) => texts[code]).join(""));
  const parts = JSON.parse((await run("-o", "json")).stdout);
  const first = { service: order[0], commandId: expect.any(String), kind: "TEXT", offset: 0 };
  expect(parts).toMatchObject([first, { service: order[1] }]);
  const lines = (await run("-o", "jsonl")).stdout.trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(parts);
  const times = /^web-1 {3}\| \S+Z stdout (one|two)$/gm;
  expect((await run("--timestamps")).stdout.match(times)).toHaveLength(2);
  const { data } = await world.as("viewer").page("services.list", { query: { q: "web-10" } });
  for (const text of ["web-10", data[0]?.id ?? "", longName]) {
    expect(await run(text)).toMatchObject({ status: 0, stdout: "ten\n" });
  }
  expect(await run("sleeper")).toMatchObject(failing(3, "has no service sleeper"));
});

test("the logs of a service whose command failed without output say why", async ({ world }) => {
  const { id, end } = await openRunning(world);
  await end("web-1", false);
  expect(await world.run("--server", ["rollouts", "logs", id, "web-1"])).toMatchObject({
    status: 0,
    stdout: "",
    stderr: expect.stringMatching(/^It is FAILED and has printed nothing\./),
  });
});

test("-f prints whole lines until the rollout ends, and exits like `rollouts watch`", async ({
  world,
}) => {
  const { id, send, end } = await openRunning(world);
  const logs = following(world, "--server", ["rollouts", "logs", id, "-f"]);
  await send("web-1", "half");
  await send("web-10", "whole\n");
  await until("the whole line", () => logs.out() === "web-10  | whole\n");
  await send("web-1", " a line\nand the last");
  await until("the line", () => logs.out().includes("web-1   | half a line\n"));
  await end("web-1", true);
  await until("the last line", () => logs.out().endsWith("web-1   | and the last\n"));
  await end("web-10", false);
  expect((await logs.ended).status).toBe(7);
  expect(logs.notes()).toMatch(/^SUCCEEDED: wave 1 of 1, 1 of 2 succeeded, 1 failed\n\nTo run the/);
});

test("-f says that the rollout is paused, and Ctrl-C leaves it alone", async ({ world }) => {
  const { id } = await openRunning(world);
  await world.run("--server", ["rollouts", "pause", id]);
  const logs = following(world, "--server", ["rollouts", "logs", id, "-f"]);
  await until("the note", () => logs.notes().includes(`platformctl rollouts resume ${id}\n`));
  expect(logs.notes()).toMatch(/^PAUSED: wave 1 of 1, /);
  expect(await logs.stop()).toBe(130);
  expect(logs.notes()).toContain(`platformctl rollouts watch ${id}`);
});

test("-f makes few requests at a time, and each service has its turn", async () => {
  const size = 205; // more than a page
  const calls = new Map<string, number>();
  let open = 0;
  let most = 0;
  const waits = new Set<number>();
  const targets = Array.from({ length: size }, (_, position) => ({
    ...{ position, serviceId: `svc_${position}`, serviceCode: `web-${position}` },
    ...{ state: "RUNNING", commandId: `cmd_${position}` },
  }));
  const callsOf = (commandId: string) => (commandId === "cmd_7" ? 9 : 3);
  const output = async (commandId: string, wait: number) => {
    most = Math.max(most, ++open);
    await nextTurn();
    open--;
    waits.add(wait);
    const call = (calls.get(commandId) ?? 0) + 1;
    calls.set(commandId, call);
    const text = `${call}\n`;
    const parts = [{ kind: "TEXT", offset: call, bytes: 2, stream: "stdout", text, at: "" }];
    return {
      commandId,
      status: "RUNNING",
      parts,
      nextOffset: call,
      complete: call === callsOf(commandId),
    };
  };
  const counts = { WAITING: 0, RUNNING: 0, CHECKING: 0, SUCCEEDED: size, FAILED: 0, NOT_RUN: 0 };
  const rollout = { state: "SUCCEEDED", wave: 1, waveCount: 1, total: size, targets: counts };
  const api = {
    reached: true,
    call: async (name: string, { params, query }: { params: never; query: never }) => {
      if (name === "rollouts.get") return rollout;
      const { commandId } = params as { commandId: string };
      return output(commandId, (query as { wait: number }).wait);
    },
    page: async (_: string, { query: { page, pageSize } }: { query: PageNumber }) => ({
      data: targets.slice((page - 1) * pageSize, page * pageSize),
      pagination: { page, pageSize, total: size },
    }),
  } as unknown as Client;
  let out = "";
  const io = {
    ...{ now: () => 0, note: () => undefined, colour: false, interactive: false },
    outBytes: async (bytes: Uint8Array) => {
      out += Buffer.from(bytes);
    },
  };
  const options = { follow: true, output: "text" };
  const { signal } = new AbortController();
  const invocation = { io, options, signal } as never;
  expect(await showAllLogs(invocation, api, "rol_1")).toBe(0);
  expect([most, calls.size]).toEqual([10, size]);
  for (const [commandId, made] of calls) expect(made).toBe(callsOf(commandId));
  // Requests are held for a short time while others wait.
  expect([...waits].sort((a, b) => a - b)).toEqual([0, 1, 25]);
  expect(out.match(/^web-\d+ *\| \d$/gm)).toHaveLength(3 * size + 6);
});
