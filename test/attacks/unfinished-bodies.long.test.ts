import { expect, test } from "vitest";
import { until } from "../helpers/process/process.ts";
import { openCrowd, post } from "./sockets.ts";
import { MiB, peakDuring, startVictim } from "./victim.ts";

const count = 200;
const body = `{"a":"${"x".repeat(490_000)}"}`;
/** One address can use one sixteenth of 64 MiB. */
const kept = Math.floor((4 * MiB) / body.length);

test(`the server serves an agent despite ${count} unfinished bodies of 490 kB each`, async () => {
  const victim = await startVictim();
  const before = victim.rssBytes();
  const { inUse } = await victim.limits();
  expect(inUse.pendingBodyBytes).toEqual({ used: 0, allowed: 64 * MiB });
  const { sockets, received } = await openCrowd(victim.port, count, { reads: true });
  const beganCpuMs = victim.cpuMs();
  const part = post("/api/agents/register", body).slice(0, -10);
  const peak = await peakDuring(victim.rssBytes, async () => {
    for (const socket of sockets) socket.write(part);
    const refused = () => received().filter((text) => text.startsWith("HTTP/1.1 503 ")).length;
    await until("all others are refused", () => refused() === count - kept);
    expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
  });
  const limits = await victim.limits();
  expect(limits.inUse.pendingBodyBytes.used).toBe(kept * body.length);
  expect(limits.reached.pendingBodies).toBe(count - kept);
  expect(victim.cpuMs() - beganCpuMs).toBeLessThan(1500);
  // The bound allows for the kept bodies and for the growth of the heap under load.
  expect((peak - before) / MiB).toBeLessThan(48);
});
