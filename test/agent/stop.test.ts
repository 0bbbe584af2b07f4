// The end of an agent: quick, in order, and without loss.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { listenTestApp } from "../helpers/http.ts";
import {
  commandOf,
  cutOff,
  ended,
  execute,
  makeAgent,
  registrationToken,
  serviceWith,
  startAgent,
  until,
  wireTo,
} from "./harness.ts";

test("a held poll ends at once, and a second stop changes nothing", async () => {
  const server = await listenTestApp();
  const tested = await startAgent(server, serviceWith({}));
  await until(() => server.app.core.doorbell.size === 1, "the held poll");
  const begun = performance.now();
  await Promise.all([tested.agent.stop(), tested.agent.stop()]);
  expect(performance.now() - begun).toBeLessThan(500);
  await until(() => server.app.core.doorbell.size === 0, "the end of the held poll");
  await expect(tested.agent.start()).resolves.toBeUndefined();
  expect(tested.events.filter((event) => event.type === "stopped")).toHaveLength(1);
});

test("a handler that ends within the grace is not disturbed", async () => {
  const server = await listenTestApp();
  const gate = Promise.withResolvers<string>();
  const tested = await startAgent(server, serviceWith({ execute: () => gate.promise }));
  const id = await execute(server);
  await tested.event("command.started");
  const stopped = tested.agent.stop({ graceSeconds: 10 });
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
    "throws what the signal says",
    (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    { status: "FAILED", errorCode: "AGENT_STOPPED" },
  ],
  [
    "does not listen",
    () => new Promise(() => undefined),
    { status: "FAILED", errorCode: "AGENT_STOPPED" },
  ],
])("when the grace is over, a handler that %s has a result", async (_, run, expected) => {
  const server = await listenTestApp();
  const services = serviceWith({ execute: (_payload, { signal }) => run(signal) });
  const tested = await startAgent(server, services);
  const id = await execute(server);
  await tested.event("command.started");
  await tested.agent.stop({ graceSeconds: 0.01 });
  expect(await commandOf(server, id)).toMatchObject(expected);
});

test("what cannot be sent at the end is sent after the next start", async () => {
  const server = await listenTestApp();
  const wire = await wireTo(server);
  const run = () => {
    wire.up = false;
    return "kept";
  };
  const options = { server: wire.url, timing: cutOff };
  const first = await startAgent(server, serviceWith({ execute: run }), options);
  const id = await execute(server);
  await first.event("result.retry");
  await first.agent.stop();
  wire.up = true;
  const second = makeAgent({ server: wire.url, stateDir: first.stateDir, services: [] });
  await second.agent.start();
  expect(await ended(server, id)).toMatchObject({ result: { output: "kept" } });
});

test("a stop before the start, and one during it", async () => {
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

test("after a stop nothing keeps the process alive", async () => {
  const server = await listenTestApp();
  const program = join(import.meta.dirname, "agent-program.ts");
  const stateDir = join(temporaryFolder(), "state");
  const token = await registrationToken(server);
  const child = spawn(process.execPath, [program, server.url, stateDir, token], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const gone = new Promise((resolve) => child.once("exit", resolve));
  await new Promise<void>((resolve) => child.stdout.once("data", () => resolve()));
  child.kill("SIGTERM");
  expect(await gone).toBe(0);
});
