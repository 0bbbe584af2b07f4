// Requests that announce a large body, send most of it, and never come to its end.

import { expect, test } from "vitest";
import { until } from "../helpers/process.ts";
import { openCrowd, post } from "./sockets.ts";
import { MiB, peakDuring, startVictim } from "./victim.ts";

test("200 of 490 kB each", async () => {
  const victim = await startVictim();
  const before = victim.rssBytes();
  const { sockets, received } = await openCrowd(victim.port, 200, { reads: true });
  const part = post("/api/agents/register", `{"a":"${"x".repeat(490_000)}"}`).slice(0, -10);
  const peak = await peakDuring(victim.rssBytes, async () => {
    for (const socket of sockets) socket.write(part);
    const refused = () => received().filter((text) => text.startsWith("HTTP/1.1 503 ")).length;
    // What 8 MiB have room for is held.
    await until("most are refused", () => refused() >= 180);
    expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
  });
  expect((peak - before) / MiB).toBeLessThan(64);
});
