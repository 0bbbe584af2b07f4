// Runs the attacks in full size. The machine must be idle.

import { randomFillSync } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { mintToken } from "../../src/domain/access/credentials.ts";
import { askUnread } from "../helpers/http/unread-answers.ts";
import { get, hammer, openCrowd, post } from "./sockets.ts";
import {
  type Heartbeats,
  heartbeatsDuring,
  MiB,
  peakDuring,
  startVictim,
  type Victim,
} from "./victim.ts";

const timeout = 180_000;

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

test("memory and delays stay bounded while 150 connections request the OpenAPI document and read nothing", {
  timeout,
}, async () => {
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

const labels = Object.fromEntries(
  Array.from({ length: 40_000 }, (_, n) => [`k${n.toString(36)}`, 0]),
);
const inputSchema = Object.fromEntries(
  Array.from({ length: 24_000 }, (_, n) => [`k${n.toString(36)}`, 0]),
);
const agent = { code: "a", mode: "m" };
const service = { code: "a", name: "a", version: "1", actions: [{ name: "a", inputSchema }] };

test.each([
  { name: "without a token", body: { agent: { ...agent, labels } }, hasToken: "none" },
  { name: "with an unknown token", body: { agent, service }, hasToken: "unknown" },
  {
    name: "with a valid token",
    body: { agent: { ...agent, code: "" }, service },
    hasToken: "right",
  },
] as const)(
  "delays stay bounded while two connections send hostile registrations $name",
  { timeout },
  async (attack) => {
    const victim = await startVictim();
    const tokens = {
      none: null,
      unknown: mintToken("registration", (bytes) => void randomFillSync(bytes)),
      right: await victim.registrationToken(),
    };
    const token = tokens[attack.hasToken];
    const bearer = token === null ? [] : [`Authorization: Bearer ${token}`];
    const request = post("/api/agents/register", JSON.stringify(attack.body), bearer);
    const cost = await costOf(attack.name, victim, async () => {
      const statuses = await hammer(victim.port, request, { connections: 2, forMs: 10_000 });
      console.log(`${attack.name}: ${JSON.stringify(statuses)}`);
    });
    expect(cost.grownMiB).toBeLessThan(64);
    expect(cost.p99Ms).toBeLessThan(50);
    expect(cost.failures).toEqual({});
  },
);

test("memory and delays stay bounded with 900 unfinished bodies of 490 kB", {
  timeout,
}, async () => {
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

test("memory and delays stay bounded while a viewer's key calls forbidden routes as fast as possible", {
  timeout,
}, async () => {
  const victim = await startVictim();
  const key = `Authorization: Bearer ${await victim.apiKey("viewer")}`;
  const request = post("/api/admin/maintenance/run", "{}", [key]);
  const cost = await costOf("forbidden routes", victim, async () => {
    const statuses = await hammer(victim.port, request, { connections: 8, forMs: 10_000 });
    console.log(`forbidden routes: ${JSON.stringify(statuses)}`);
    // The attack spans at most two windows of ten seconds, each of which permits 2000 requests.
    expect(statuses[403]).toBeLessThanOrEqual(2 * 2000);
    expect(statuses[429]).toBeGreaterThan(0);
  });
  expect(cost.failures).toEqual({});
});
