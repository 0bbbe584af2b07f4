// A rollout with two nodes on PostgreSQL. While it runs, one node is killed and started again, and
// then the other is killed. The action runs once on each service, and the rollout ends.

import { describe, expect, test } from "vitest";
import { hasPostgres } from "../../helpers/postgres.ts";
import { platformctl, until } from "../../helpers/process/process.ts";
import { startCluster } from "../cluster/cluster.ts";
import {
  checkSucceeded,
  clientOf,
  createRollout,
  Machine,
  services,
  settings,
  startFleet,
} from "./fleet.ts";

const maxParallel = 4;

describe.skipIf(!hasPostgres)("two nodes", () => {
  test("of which one is killed, and later the other, run each service of a rollout once", async () => {
    const cluster = await startCluster({ nodes: 2, settings });
    const { url, key, nodes, rows } = cluster;
    const machine = await Machine.start({ takesMs: 20 });
    const operator = clientOf(url, key);
    await startFleet(url, operator, machine);
    await createRollout(operator, maxParallel);
    const enough = (part: number) =>
      until("more services have run", () => machine.executions.length >= services * part);
    await enough(1 / 4);
    await nodes[0]?.kill();
    // Node 1 alone continues the rollout.
    await enough(2 / 4);
    await cluster.restart(0);
    await enough(3 / 4);
    await nodes[1]?.kill();
    await until("the rollout has ended", async () => {
      const [[state]] = (await rows("SELECT state FROM rollouts")) as [[string]];
      return state !== "RUNNING";
    });
    await checkSucceeded(rows, machine, maxParallel);
    const env = { PLATFORM_URL: nodes[0]?.url ?? "", PLATFORM_API_KEY: key };
    expect(await platformctl(["audit", "verify"], { env })).toMatchObject({ status: 0 });
  });
});
