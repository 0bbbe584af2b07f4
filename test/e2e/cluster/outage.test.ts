// While the database is away, nobody can be heard, so nothing counts as silence: on one server with a
// file, and on nodes with PostgreSQL. `npm test` has one node. The long form has all and the default settings,
// and is away for two minutes, in which schedules are due. core/clock/absence.test.ts has the
// rules, and what one node learns from another.

import { setTimeout as sleep } from "node:timers/promises";
import { test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { send, until } from "../../helpers/process/process.ts";
import { startOnDisk } from "../../helpers/process/server-on-disk.ts";
import { hasSmallDisks, mountSmallDisk } from "../../helpers/process/small-disk.ts";
import { isLong, size } from "../../helpers/size.ts";
import { startCluster, type TestCluster } from "./cluster.ts";
import { expectNothingLost, startCommands, startLoad, untilDueSince } from "./outage-load.ts";

const awayMs = size(20_000, 120_000);
const fullMs = size(20_000, 45_000);
const settings = isLong
  ? {}
  : {
      PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "1",
      PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "15",
      PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: "16",
      PLATFORM_MAINTENANCE_INTERVAL_SECONDS: "1",
    };

/** Takes the storage away while everything runs. `begin` resolves when the server can no longer write. */
async function throughOutage(
  service: Pick<TestCluster, "url" | "key">,
  lastsMs: number,
  begin: () => Promise<() => void>,
): Promise<void> {
  const load = await startLoad(service);
  await startCommands(load);
  const end = await begin();
  const from = Date.now();
  await sleep(lastsMs);
  // In the short form, this would take up to a minute.
  if (isLong) await untilDueSince(from);
  const to = Date.now();
  end();
  const figures = await expectNothingLost(load, { from, to });
  if (isLong) console.info(JSON.stringify({ from: new Date(from), to: new Date(to), ...figures }));
}

const outcome = "takes no agent for silent, runs the whole rollout, and loses no result";

// Without PostgreSQL, `npm test` has this instead of the cluster.
test.runIf(hasSmallDisks() && (isLong || !hasPostgres))(
  `a server whose disk is full ${outcome}`,
  { timeout: 0 },
  async () => {
    const disk = await mountSmallDisk(temporaryFolder(), 16);
    const { server, key } = await startOnDisk(disk, settings);
    const isFull = async () => (await send(server.url, "GET", "/api/system/ready")).status === 503;
    await throughOutage({ url: server.url, key }, fullMs, async () => {
      const empty = disk.fill();
      // The server writes as long as its log has room.
      await until("the disk is full", isFull, 600_000);
      return empty;
    });
  },
);

test
  .skipIf(!hasPostgres)
  .each([["a node", 1] as const, ...(isLong ? [["a cluster of two nodes", 2] as const] : [])])(
  `%s whose database is away ${outcome}`,
  { timeout: 0 },
  async (_, nodes) => {
    const { proxies, ...service } = await startCluster({ nodes, settings });
    await throughOutage(service, awayMs, async () => {
      for (const proxy of proxies) proxy.cutAll();
      return () => {
        for (const proxy of proxies) proxy.restore();
      };
    });
  },
);
