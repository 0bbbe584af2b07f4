// Connections that ask for much and read nothing: what waits for them stays small.

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { get, openCrowd } from "./sockets.ts";
import { MiB, peakDuring, startVictim } from "./victim.ts";

test("16 pipelined requests each for the API's document", async () => {
  const victim = await startVictim();
  const before = victim.rssBytes();
  const { sockets } = await openCrowd(victim.port, 60);
  const peak = await peakDuring(victim.rssBytes, async () => {
    for (const socket of sockets) socket.write(get("/api/system/openapi.json").repeat(16));
    expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
    await sleep(1500);
    expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
  });
  expect((peak - before) / MiB).toBeLessThan(64);
});
