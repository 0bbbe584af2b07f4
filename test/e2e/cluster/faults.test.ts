// Kills, stops and cuts off nodes and PostgreSQL under load: nothing acknowledged is lost, nothing
// is done twice (docs/decisions/0022-postgresql-writes.md). `npm run test:faults` repeats it.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { CuttingProxy } from "../../helpers/cutting-proxy.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { logLines, type Server, send } from "../../helpers/process/process.ts";
import { startCluster, type TestCluster } from "./cluster.ts";
import { checkLedger } from "./ledger.ts";
import { Load } from "./load.ts";

const rounds = Number(process.env.FAULT_ROUNDS ?? 0);
const isLong = rounds > 0;
const agents = Number(process.env.FAULT_AGENTS ?? 2);
const nodes = isLong ? 3 : 2;
/**
 * The maximum time in ms until all agents are back, in addition to the pause between two calls of
 * an agent. In `npm test`, other tests can slow this one down.
 */
const backMs = 10_000;
/** Longer than `defaultStalledMs`, so that a node that is stopped inside a transaction loses it. */
const stoppedMs = 20_000;
const cutMs = 3000;
const cutsPerNode = 4;
/** How many writes are acknowledged before, and after, each fault. */
const between = isLong ? 200 : 5;

/** Resolves when everything runs again. `round` selects the node. */
type Fault = (cluster: TestCluster, round: number) => Promise<void>;

const faults: Record<string, Fault> = {
  // `npm test` omits these: store/engine/postgresql/faults.test.ts has them, or a fault below
  // happens at a worse moment.
  ...(isLong &&
    ({
      "a node is killed": killNode,
      async "every connection is terminated"({ rows }) {
        await rows(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()`,
        );
      },
      async "a node stops for a while"(cluster, round) {
        const node = cluster.nodes[round % nodes];
        node?.signal("SIGSTOP");
        await sleep(stoppedMs);
        node?.signal("SIGCONT");
      },
      async "the network to PostgreSQL fails"({ proxies }) {
        for (const proxy of proxies) proxy.cutAll();
        await sleep(cutMs);
        for (const proxy of proxies) proxy.restore();
      },
      "connections are cut before COMMIT": ({ proxies }) => cutAtCommits(proxies, "before"),
      "connections are cut after COMMIT": ({ proxies }) => cutAtCommits(proxies, "after"),
      "a node is killed before PostgreSQL gets its COMMIT": (cluster, round) =>
        killAtCommit(cluster, round, "before"),
    } satisfies Record<string, Fault>)),
  async "PostgreSQL is killed"({ postgres }) {
    await postgres.kill();
    await postgres.restart();
  },
  "a node is killed before it knows of its COMMIT": (cluster, round) =>
    killAtCommit(cluster, round, "after"),
};

/** Cuts each node's connection at a few COMMITs, so that writes of all kinds are affected. */
async function cutAtCommits(proxies: CuttingProxy[], when: "before" | "after"): Promise<void> {
  for (let cut = 0; cut < cutsPerNode; cut++) {
    for (const proxy of proxies) await proxy.cutAtCommit(when);
  }
}

async function killAtCommit(cluster: TestCluster, round: number, when: "before" | "after") {
  await cluster.proxies[round % cluster.nodes.length]?.holdAtCommit(when);
  await killNode(cluster, round);
}

async function killNode(cluster: TestCluster, round: number): Promise<void> {
  const node = round % cluster.nodes.length;
  await cluster.nodes[node]?.kill();
  await cluster.restart(node);
}

describe.skipIf(!hasPostgres)(`${nodes} nodes under load`, () => {
  test("lose nothing that was acknowledged, whatever fails, and without a response of PostgreSQL are not ready, and stop", async () => {
    const cluster = await startCluster({ nodes });
    const load = new Load(cluster);
    await load.start(agents);
    const slowest = new Map<string, number>();
    for (let round = 1; round <= Math.max(rounds, 1); round++) {
      for (const [name, fault] of Object.entries(faults)) {
        await load.more(between);
        await fault(cluster, round);
        const tookMs = await load.allAreBack(name);
        slowest.set(name, Math.max(slowest.get(name) ?? 0, tookMs));
        expect(load.ledger.strange.slice(0, 5), name).toEqual([]);
      }
      if (isLong) console.log(`round ${round}: ${load.ledger}`);
    }
    await load.more(between);
    await load.stop();
    await checkLedger(load.ledger, cluster);
    const lines = [...slowest].map(([name, ms]) => `  ${name}: ${Math.round(ms)} ms`);
    console.log(
      `${load.ledger}\nthe slowest time until all agents were back after\n${lines.join("\n")}`,
    );
    const limitMs = isLong ? backMs + load.longestPauseMs : Infinity;
    for (const [name, ms] of slowest) expect(ms, name).toBeLessThan(limitMs);
    const [first, ...others] = cluster.nodes;
    for (const proxy of cluster.proxies) proxy.holdAll();
    const stopping = others.map((node) => node.stop());
    await expectSilenceNoticed(first!, cluster.key);
    for (const { stderr } of await Promise.all(stopping)) {
      const messages = logLines(stderr).map(({ msg }) => msg);
      expect(messages).toContainEqual(expect.stringMatching(/^the database does not respond/));
      expect(messages.at(-1)).toBe("stopped");
    }
    cluster.proxies[0]!.cutAll();
    cluster.proxies[0]!.restore();
    await first!.stop();
    const ends = await Promise.all(cluster.nodes.map(({ ended }) => ended));
    expect(ends.map(({ status }) => status)).toEqual(Array(nodes).fill(0));
  });
});

/** The connections of the node to PostgreSQL stay open, but get no more answers. */
async function expectSilenceNoticed({ url }: Server, bearer: string): Promise<void> {
  const reading = send(url, "GET", "/api/admin/overview", { bearer });
  let hasFailed = false;
  void reading.then(() => {
    hasFailed = true;
  });
  const ready = await send(url, "GET", "/api/system/ready");
  expect([ready.status, hasFailed]).toEqual([503, false]);
  const read = await reading;
  expect(read).toMatchObject({ status: 503, body: { error: { code: "UNAVAILABLE" } } });
  expect(read.body.error.message).toContain("The database server cannot be reached");
  expect(read.headers.get("retry-after")).toBe("1");
}
