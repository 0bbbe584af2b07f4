// Runs the attacks in full size. The machine must be idle. hostile-bodies.long.test.ts measures
// what hostile registrations cost.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { askUnread } from "../helpers/http/unread-answers.ts";
import { get, openCrowd, post } from "./sockets.ts";
import {
  type Heartbeats,
  heartbeatsDuring,
  MiB,
  peakDuring,
  startVictim,
  type Victim,
} from "./victim.ts";

/** Measures the cost of an attack and prints it, because the tests check only bounds. */
async function costOf(name: string, victim: Victim, attack: () => Promise<unknown>) {
  const before = victim.rssBytes();
  const beganCpuMs = victim.cpuMs();
  const began = performance.now();
  const outcome: { beats?: Heartbeats } = {};
  const peak = await peakDuring(victim.rssBytes, async () => {
    outcome.beats = await heartbeatsDuring(victim, attack);
  });
  const grownMiB = (peak - before) / MiB;
  const { beats } = outcome;
  if (!beats) throw new Error("no heartbeats were sent");
  const cpuMs = victim.cpuMs() - beganCpuMs;
  const cpu = cpuMs / (performance.now() - began);
  console.log(
    `${name}: RSS ${(before / MiB).toFixed(0)} + ${grownMiB.toFixed(0)} MiB, CPU ${cpuMs} ms (${(cpu * 100).toFixed(0)} %), ` +
      `heartbeats ${beats.count}, p50 ${beats.p50Ms.toFixed(1)} ms, p99 ${beats.p99Ms.toFixed(1)} ms, ` +
      `max ${beats.maxMs.toFixed(0)} ms, failures ${JSON.stringify(beats.failures)}`,
  );
  return { ...beats, grownMiB };
}

test("memory and delays stay bounded while 150 connections request the OpenAPI document and read nothing", async () => {
  const victim = await startVictim();
  const waitingBytes = async () => (await victim.limits()).inUse.pendingOutputBytes.used;
  const document = await (await fetch(`${victim.url}/api/system/openapi.json`)).text();
  const { length } = Buffer.from(document);
  const cost = await costOf("unread output", victim, async () => {
    const { sockets } = await openCrowd(victim.port, 150);
    await askUnread(sockets, get("/api/system/openapi.json"), waitingBytes, length);
    await sleep(10_000);
    // A connection's further requests wait while it has more than 256 KiB unread.
    expect(await waitingBytes()).toBeLessThanOrEqual(150 * (256 * 1024 + length));
  });
  expect(cost.grownMiB).toBeLessThan(64);
  expect(cost.p99Ms).toBeLessThan(50);
  expect(cost.failures).toEqual({});
});

test("memory and delays stay bounded with 900 unfinished bodies of 490 kB", async () => {
  const victim = await startVictim();
  const part = post("/api/agents/register", `{"a":"${"x".repeat(490_000)}"}`).slice(0, -10);
  const cost = await costOf("unfinished bodies", victim, async () => {
    const { sockets } = await openCrowd(victim.port, 900, { reads: true });
    for (const socket of sockets) socket.write(part);
    await sleep(15_000);
    // One address can use one sixteenth of 64 MiB.
    const { inUse, reached } = await victim.limits();
    expect(inUse.pendingBodyBytes.used).toBeLessThanOrEqual(4 * MiB);
    expect(reached.pendingBodies).toBeGreaterThan(0);
  });
  expect(cost.grownMiB).toBeLessThan(100);
  expect(cost.p99Ms).toBeLessThan(50);
  expect(cost.failures).toEqual({});
});
