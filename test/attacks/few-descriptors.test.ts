import { expect, test } from "vitest";
import { logLines, send, until } from "../helpers/process/process.ts";
import { openCrowd } from "./sockets.ts";
import { startVictim } from "./victim.ts";

test("the server serves an agent despite 400 idle connections and a limit of 300 descriptors", async () => {
  const victim = await startVictim({
    enter: ["sh", "-c", 'ulimit -n 300 && exec "$@"', "sh"],
    env: { PLATFORM_MAX_CONNECTIONS: "1000", PLATFORM_MAX_CONNECTIONS_PER_ADDRESS: "1000" },
  });
  const logged = (fields: object) =>
    expect.poll(() => logLines(victim.stderr())).toContainEqual(expect.objectContaining(fields));
  // Of the 300 descriptors, 64 are for everything else, and 16 each for operators and refusals.
  const most = 204;
  await logged({
    maxConnections: most,
    keptForOperators: 16,
    msg: "the limit on open files of this process allows fewer connections than PLATFORM_MAX_CONNECTIONS",
  });
  await logged({ msg: "listening", maxConnections: most, keptForOperators: 16 });
  const crowd = await openCrowd(victim.port, 400, { reads: true });
  await until("idle connections have been closed", () => crowd.closed() >= 400 - most);
  expect((await victim.agent.call("POST", "/heartbeat", {})).status).toBe(200);
  expect((await send(victim.url, "GET", "/api/system/health")).status).toBe(200);
  const { inUse, reached } = await victim.limits();
  expect(inUse.connections.allowed).toBe(most);
  expect(inUse.connections.used).toBeLessThanOrEqual(most);
  expect(inUse.connections.used).toBeGreaterThan(most - 16);
  expect(reached.idleConnections).toBeGreaterThanOrEqual(400 - most);
  expect(reached.connections).toBe(0);
  await logged({ limit: "idleConnections" });
});
