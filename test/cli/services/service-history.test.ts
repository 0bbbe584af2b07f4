import { expect, test } from "vitest";
import { openWorld } from "../world.ts";

test("a history shows how long each status has lasted, and the uptime by day", async () => {
  const world = await openWorld({ fixedTime: true });
  const report = (healthStatus: string) =>
    world.sleeping.client.call("agent.heartbeat", {
      body: { health: [{ serviceCode: "sleeper", healthStatus }] },
    });
  world.clock.advance(60_000);
  await report("UP");
  world.clock.advance(30_000);
  const run = async (...words: string[]) =>
    (await world.run("--server", ["services", "history", "sleeper", ...words])).stdout;
  expect(await run()).toMatchInlineSnapshot(`
    "status   HEALTHY
    since    30s ago
    uptime   33.33% of 1m30s recorded in 7 days
    changes  2 in 24 hours

    changes of the last 24 hours
      WHEN     FROM       TO         FOR
      30s ago  UNHEALTHY  HEALTHY    30s so far
      1m ago   -          UNHEALTHY  1m

    days in UTC
      DAY         UPTIME  NOT HEALTHY
      2026-01-02  33.33%  UNHEALTHY 1m, not recorded 3h4m
    "
  `);
  expect(await run("-o", "wide", "--days", "1")).toContain(
    "2026-01-02T03:05:05.678Z  UNHEALTHY  HEALTHY",
  );
  const { days, changesTotal } = JSON.parse(await run("--days", "90", "-o", "json"));
  expect([days.length, changesTotal]).toEqual([90, 2]);
});
