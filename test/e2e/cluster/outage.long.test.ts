// While the database is away, the server cannot hear from anyone, so nobody counts as silent. Tests
// one server with a file, and nodes with PostgreSQL, for up to two minutes.
// core/clock/absence.test.ts tests the rules, and what one node learns from another.

import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { send, until } from "../../helpers/process/process.ts";
import { startOnDisk } from "../../helpers/process/server-on-disk.ts";
import { hasSmallDisks, mountSmallDisk } from "../../helpers/process/small-disk.ts";
import { startCluster, type TestCluster } from "./cluster.ts";
import { expectNothingLost, startCommands, startLoad } from "./outage-load.ts";

const awayMs = 120_000;
const fullMs = 45_000;

/**
 * Takes the storage away while everything runs. `begin` resolves when the server can no longer
 * write, with a function that brings the storage back.
 */
async function throughOutage(
  service: Pick<TestCluster, "url" | "key">,
  lastsMs: number,
  begin: () => Promise<() => void>,
): Promise<void> {
  const load = await startLoad(service);
  await startCommands(load);
  const end = await begin();
  await sleep(lastsMs);
  end();
  const figures = await expectNothingLost(load);
  console.info(JSON.stringify(figures));
}

const outcome = "takes no agent for silent, runs the whole rollout, and loses no result";

test.skipIf(!hasSmallDisks())(`a server whose disk is full ${outcome}`, async () => {
  const disk = await mountSmallDisk(temporaryFolder(), 16);
  const { server, key } = await startOnDisk(disk);
  const isFull = async () => (await send(server.url, "GET", "/api/system/ready")).status === 503;
  await throughOutage({ url: server.url, key }, fullMs, async () => {
    const empty = disk.fill();
    // The server writes as long as its log has room.
    await until("the disk is full", isFull, 600_000);
    return empty;
  });
});

test.skipIf(!hasPostgres)(`a cluster of two nodes whose database is away ${outcome}`, async () => {
  const { proxies, ...service } = await startCluster({ nodes: 2 });
  await throughOutage(service, awayMs, async () => {
    for (const proxy of proxies) proxy.cutAll();
    return () => {
      for (const proxy of proxies) proxy.restore();
    };
  });
});
