// Two nodes on PostgreSQL. One is killed when schedules are due, and the other at the next due
// time. One of them runs the jobs of the cluster.

import { describe, expect, test } from "vitest";
import { hasPostgres } from "../../helpers/postgres.ts";
import { platformctl } from "../../helpers/process/process.ts";
import { startCluster } from "../cluster/cluster.ts";
import { clientOf, Machine, settings, startFleet } from "../rollouts/fleet.ts";
import { checkOnce, createSchedules, settle, untilServed, untilTime } from "./night.ts";

describe.skipIf(!hasPostgres)("two nodes", () => {
  test("of which one is killed when schedules are due run everything once", async () => {
    const cluster = await startCluster({ nodes: 2, settings });
    const { url, key, nodes, rows } = cluster;
    const machine = await Machine.start();
    const operator = clientOf(url, key);
    await untilServed(operator);
    await startFleet(url, operator, machine);
    const due = await createSchedules(operator);
    await untilTime(due);
    await nodes[0]?.kill();
    await cluster.restart(0);
    await untilTime((Math.floor(Date.now() / 60_000) + 1) * 60_000);
    await nodes[1]?.kill();
    await cluster.restart(1);
    await untilServed(operator);
    await settle(operator);
    await checkOnce(rows, machine);
    const env = { PLATFORM_URL: nodes[0]?.url ?? "", PLATFORM_API_KEY: key };
    expect(await platformctl(["audit", "verify"], { env })).toMatchObject({ status: 0 });
  });
});
