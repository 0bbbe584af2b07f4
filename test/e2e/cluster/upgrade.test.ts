// Upgrades two nodes under load, one after the other, to programs with another migration
// (docs/guides/cluster.md): first to a program that allows the older one, then to one that does
// not. `npm run test:long` runs these tests, and `npm run test:faults` repeats the first one.

import { describe, expect, test } from "vitest";
import { hasPostgres } from "../../helpers/postgres.ts";
import { newerProgram, ownVersion, removeProgram } from "../../helpers/process/newer-program.ts";
import { send, until } from "../../helpers/process/process.ts";
import { isLong } from "../../helpers/size.ts";
import { startCluster, type TestCluster } from "./cluster.ts";
import { checkLedger } from "./ledger.ts";
import { Load } from "./load.ts";

const rounds = Number(process.env.FAULT_ROUNDS ?? 1);
const agents = Number(process.env.FAULT_AGENTS ?? 4);
const isRepeated = process.env.FAULT_ROUNDS !== undefined;
/** Acknowledged writes before and after each step. */
const between = isRepeated ? 200 : 10;
/** How long a node that stops still takes calls. */
const drainSeconds = isRepeated ? "3" : "1";

/**
 * The failures after which agents and `platformctl` retry: no connection, a lost connection, and
 * 503 with Retry-After.
 */
const retried = ["ECONNREFUSED", "ECONNRESET", "EPIPE", "UND_ERR_SOCKET", "503"];

/** Changes tables that every call uses, and adds a table. */
const additive = (number: number) => `
  ALTER TABLE agents ADD COLUMN newer_${number} TEXT;
  ALTER TABLE agent_tokens ADD COLUMN newer_${number} TEXT;
  ALTER TABLE commands ADD COLUMN newer_${number} TEXT;
  ALTER TABLE audit_events ADD COLUMN newer_${number} TEXT;
  CREATE TABLE newer_${number} (id TEXT PRIMARY KEY);
`;

const breaking = (number: number) =>
  `UPDATE schema_migrations SET minimum_version = ${ownVersion + number};`;

async function replace(cluster: TestCluster, node: number, program: string): Promise<void> {
  expect(await cluster.nodes[node]?.stop()).toMatchObject({ status: 0 });
  await cluster.restart(node, program);
  await until("the node is ready", async () => (await ready(cluster, node)).status === 200);
}

function ready({ nodes }: TestCluster, node: number) {
  return send(nodes[node]?.url ?? "", "GET", "/api/system/ready");
}

async function schemaVersion({ rows }: TestCluster): Promise<number> {
  const [[version]] = (await rows("SELECT MAX(version) FROM schema_migrations")) as [[string]];
  return Number(version);
}

/** Upgrades one node after the other. The older node continues to serve. */
async function upgrade(cluster: TestCluster, load: Load, program: string): Promise<void> {
  await replace(cluster, 0, program);
  expect(await ready(cluster, 1)).toMatchObject({ status: 200 });
  const older = cluster.nodes[1]?.url ?? "";
  const options = { bearer: cluster.key, body: {} };
  const created = await send(older, "POST", "/api/admin/registration-tokens", options);
  expect(created.status).toBe(201);
  await load.more(between);
  await load.allAreBack("the first node is upgraded");
  await replace(cluster, 1, program);
}

/**
 * Upgrades to a program after whose migration the older node no longer serves. `older` is its
 * program.
 */
async function upgradeAtOnce(
  cluster: TestCluster,
  load: Load,
  { older, newer }: { older: string; newer: string },
): Promise<void> {
  await replace(cluster, 0, newer);
  expect(await ready(cluster, 1)).toMatchObject({
    status: 503,
    body: { data: { ready: false, reason: "PROGRAM_TOO_OLD" } },
  });
  await load.more(between);
  expect(await cluster.nodes[1]?.stop()).toMatchObject({ status: 0 });
  const version = await schemaVersion(cluster);
  await expect(cluster.restart(1, older)).rejects.toThrow(
    `its schema (version ${version}) is newer than this program (version ${version - 1})`,
  );
  await load.more(between);
  await cluster.restart(1, newer);
  await until("the node is ready", async () => (await ready(cluster, 1)).status === 200);
}

describe.skipIf(!hasPostgres || !(isLong || isRepeated))("a rolling upgrade under load", () => {
  test("fails no call that clients do not retry, and loses nothing", async () => {
    const settings = { PLATFORM_DRAIN_SECONDS: drainSeconds };
    const cluster = await startCluster({ nodes: 2, check: "ready", settings });
    const load = new Load(cluster);
    await load.start(agents);
    await load.more(between);
    const migrations: string[] = [];
    let older = "";
    for (let round = 1; round <= rounds; round++) {
      migrations.push(additive(round));
      const newer = newerProgram(...migrations);
      await upgrade(cluster, load, newer);
      expect(await schemaVersion(cluster)).toBe(ownVersion + round);
      if (older !== "") removeProgram(older);
      older = newer;
    }
    migrations.push(breaking(migrations.length + 1));
    await upgradeAtOnce(cluster, load, { older, newer: newerProgram(...migrations) });
    await load.more(between);
    await load.allAreBack("both nodes are upgraded");
    await load.stop();
    await checkLedger(load.ledger, cluster);
    console.log(`${load.ledger}`);
    const failures = [...load.ledger.failures.keys()];
    expect(failures.filter((reason) => !retried.includes(reason))).toEqual([]);
    const ends = await Promise.all(cluster.nodes.map((node) => node.stop()));
    expect(ends.map(({ status }) => status)).toEqual([0, 0]);
  });
});
