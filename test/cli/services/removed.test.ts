// What lists and pages show of removed services, and of agents whose clock is wrong.

import { expect } from "vitest";
import { isoTime } from "../../../src/lib/iso-time.ts";
import { test } from "../world.ts";

test("a removed service and a wrong clock are shown with their agent", async ({ world }) => {
  const { client } = world.sleeping;
  await client.call("agent.report", { body: { complete: true, services: [] } });
  world.clock.advance(1000);
  const timestamp = isoTime(world.clock.now() + 3 * 60 * 60_000);
  await client.call("agent.heartbeat", { body: { timestamp } });
  const run = async (...words: string[]) =>
    (await world.run("--server", words, { io: { now: world.clock.now } })).stdout;
  const services = await run("services", "list", "--columns", "code,message");
  expect(services).toMatch(/^sleeper +removed: edge-2 no longer manages it$/m);
  expect(await run("services", "get", "sleeper")).toContain(
    "removed\n  edge-2 stopped managing this service 1s ago.\n" +
      "  Delete it, unless it will be reported again: platformctl services delete sleeper\n",
  );
  const agent = await run("agents", "get", "edge-2");
  expect(agent).toContain("\nservices\n  sleeper 0.9.0 UNHEALTHY, removed\n");
  expect(agent).toMatch(/^why +clock differs by 3h from the server's$/m);
  expect(agent).toMatch(/^clock +3h ahead$/m);
  const agents = await run("agents", "list", "--columns", "code,why");
  expect(agents).toMatch(/^edge-2 +clock differs by 3h from the server's$/m);
  expect(agents).toMatch(/^edge-1 +-$/m);
});
