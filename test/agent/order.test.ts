import { expect, test } from "vitest";
import type { ActionContext, Service } from "../../src/agent/index.ts";
import type { ListeningApp } from "../helpers/http/http.ts";
import { commandOf, ended, execute, serviceWith, startAgain, startPair, until } from "./harness.ts";

/** Creates services whose executions end when the test calls `open`. */
function gatedServices(...codes: string[]) {
  const runs: string[] = [];
  const gates = new Map<string, () => void>();
  let now = 0;
  const gated = {
    /** The ids of commands in the order in which they were started. */
    runs,
    most: 0,
    open: async (id: string) => (await until(() => gates.get(id), `the run of ${id}`))(),
    services: codes.flatMap((code): Service[] =>
      serviceWith({ execute: (_payload, { command }) => run(command.id) }, code),
    ),
  };
  async function run(id: string): Promise<void> {
    runs.push(id);
    gated.most = Math.max(gated.most, ++now);
    await new Promise<void>((resolve) => gates.set(id, resolve));
    now--;
  }
  return gated;
}

async function executeMany(server: ListeningApp, count: number, code: string): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push(await execute(server, {}, code));
  return ids;
}

test("as many handlers run at the same time as there are slots, and other commands wait on the server", async () => {
  const codes = ["a", "b", "c", "d", "e"];
  const gated = gatedServices(...codes);
  const { server } = await startPair(gated.services, { concurrency: 3 });
  const ids: string[] = [];
  for (const code of codes) ids.push(await execute(server, {}, code));
  await until(() => gated.runs.length === 3, "three runs");
  const states = await Promise.all(ids.map(async (id) => (await commandOf(server, id)).status));
  expect(states).toEqual(["RUNNING", "RUNNING", "RUNNING", "PENDING", "PENDING"]);
  for (const id of ids) await gated.open(id);
  for (const id of ids) expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(gated.most).toBe(3);
});

test("commands of one service run in order, one at a time, without delaying others, and at most 20 wait in the agent", async () => {
  const { runs, open, services } = gatedServices("slow", "quick");
  const { server } = await startPair(services, { concurrency: 2 });
  const many = await executeMany(server, 15, "slow");
  const quick = await execute(server, {}, "quick");
  await open(quick);
  expect(await ended(server, quick)).toMatchObject({ status: "SUCCEEDED" });
  expect(runs).toHaveLength(2);
  const more = await executeMany(server, 7, "slow");
  const all = [...many, ...more];
  const pending = async () => {
    const states = await Promise.all(all.map((id) => commandOf(server, id)));
    return states.filter(({ status }) => status === "PENDING").length;
  };
  await until(async () => (await pending()) === 1, "one running command and 20 waiting ones");
  for (const id of all) await open(id);
  for (const id of all) expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED" });
  expect(runs.filter((id) => id !== quick)).toEqual(all);
  expect(await pending()).toBe(0);
});

test("commands that wait when the agent stops run once, after the next start", async () => {
  const runs: string[] = [];
  const run = async (_payload: unknown, { command, signal }: ActionContext) => {
    runs.push(command.id);
    if (runs.length > 1) return;
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  };
  const { server, tested: first } = await startPair(serviceWith({ execute: run }));
  const ids = await executeMany(server, 3, "collector");
  const [running = "", ...waiting] = ids;
  const third = ids.at(-1) ?? "";
  await until(async () => (await commandOf(server, third)).status === "RUNNING", "the third");
  await until(() => server.app.core.doorbell.size === 1, "the next poll");
  await first.agent.stop({ graceSeconds: 0.05 });
  expect(await commandOf(server, running)).toMatchObject({ status: "SUCCEEDED" });
  expect(await first.event("commands.left")).toMatchObject({ commandIds: waiting });
  expect(runs).toEqual([running]);
  const services = serviceWith({ execute: run });
  await startAgain({ server: server.url, stateDir: first.stateDir, services });
  for (const id of waiting) {
    expect(await ended(server, id)).toMatchObject({ status: "SUCCEEDED", deliveries: 2 });
  }
  expect(runs).toEqual(ids);
});
