import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { askUnread } from "../helpers/http/unread-answers.ts";
import { get, openCrowd } from "./sockets.ts";
import { MiB, peakDuring, startVictim } from "./victim.ts";

const count = 60;
/** If a connection has more unread bytes than this, its further requests wait. */
const mostUnreadBytes = 256 * 1024;

test("pipelined requests for the OpenAPI document wait while earlier responses are unread", async () => {
  const victim = await startVictim();
  const document = await (await fetch(`${victim.url}/api/system/openapi.json`)).text();
  const { length } = Buffer.from(document);
  const before = victim.rssBytes();
  const { sockets } = await openCrowd(victim.port, count);
  const beganCpuMs = victim.cpuMs();
  const peak = await peakDuring(victim.rssBytes, async () => {
    const waitingBytes = async () => (await victim.limits()).inUse.pendingOutputBytes.used;
    await askUnread(sockets, get("/api/system/openapi.json"), waitingBytes, length);
    expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
    await sleep(1500);
    expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
  });
  const cpuMs = victim.cpuMs() - beganCpuMs;
  const { inUse } = await victim.limits();
  expect(inUse.pendingOutputBytes.used).toBeGreaterThanOrEqual(count * length);
  expect(inUse.pendingOutputBytes.used).toBeLessThanOrEqual(count * (mostUnreadBytes + length));
  // The attack takes 0.3 s. Serializing all requested documents would take several seconds.
  expect(cpuMs).toBeLessThan(2000);
  expect((peak - before) / MiB).toBeLessThan(64);
});
