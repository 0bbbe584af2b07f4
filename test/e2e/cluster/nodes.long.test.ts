// What every node learns at once: that a token was revoked at another node, and that a command was
// created there. core/changes/across-nodes.test.ts tests the same in one process.

import { describe, expect, test } from "vitest";
import { perFile } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { callAs, registerAgent, send, until } from "../../helpers/process/process.ts";
import { startCluster, type TestCluster } from "./cluster.ts";

/** The maximum time in ms from the creation of a command until a poll at another node ends. */
const deliveryMs = 100;

const nodes = 3;
const tries = 1000;

describe.skipIf(!hasPostgres)(`${nodes} nodes`, () => {
  const started = perFile(() => startCluster({ nodes }));

  test(`refuse a token on the next call after its revocation, ${tries} times`, async () => {
    const cluster = started();
    const wrong: unknown[] = [];
    for (let turn = 0; turn < tries; turn++) {
      const [at, ...others] = rotated(cluster, turn);
      const agent = await join(cluster, at, `edge-${turn}`);
      const statuses = () =>
        Promise.all(
          others.map(async (url) => {
            const call = callAs(url, agent.agentToken);
            return (await call("POST", "/heartbeat", {})).status;
          }),
        );
      // Each node has accepted the token before, so it could have cached it.
      expect(await statuses()).toEqual(others.map(() => 200));
      await asOperator(cluster, at, "POST", `/agents/${agent.agentId}/revoke-token`, {});
      const after = await statuses();
      if (after.some((status) => status !== 401)) wrong.push({ turn, after });
    }
    expect(wrong).toEqual([]);
  });

  test(`deliver a command to a poll at another node, ${tries} times`, async () => {
    const cluster = started();
    const service = {
      ...{ code: "backup", name: "Backup", version: "1", healthStatus: "UP" },
      actions: [{ name: "go", prepare: false }],
    };
    const [first = ""] = cluster.nodes.map(({ url }) => url);
    const agent = await join(cluster, first, "backup", [service]);
    const listed = await asOperator(cluster, first, "GET", "/capsule-services");
    const path = `/capsule-services/${listed[0].id}/actions/go`;
    const tookMs: number[] = [];
    for (let turn = 0; turn < tries; turn++) {
      const [createdAt, polledAt] = rotated(cluster, turn);
      const call = callAs(polledAt, agent.agentToken);
      const polls = await heldPolls(cluster, polledAt);
      let endedAt = 0;
      const polling = call("GET", "/commands?wait=30&held=").then((answer) => {
        endedAt = performance.now();
        return answer;
      });
      let early: unknown = null;
      polling.then(({ status, body }) => (early = { status, body }));
      await until("the poll waits", async () => {
        if (early) throw new Error(`turn ${turn}: it ended: ${JSON.stringify(early)}`);
        return (await heldPolls(cluster, polledAt)) > polls;
      });
      await asOperator(cluster, createdAt, "POST", path, { payload: { turn } });
      const from = performance.now();
      const { body } = await polling;
      const [command] = body.data.commands;
      expect(command).toMatchObject({ payload: { turn } });
      tookMs.push(Math.max(0, endedAt - from));
      const result = { success: true };
      expect(await call("POST", `/commands/${command.id}/result`, result)).toMatchObject({
        status: 200,
      });
    }
    tookMs.sort((one, other) => one - other);
    const at = (share: number) => tookMs[Math.ceil(tookMs.length * share) - 1] as number;
    console.log(
      `${tookMs.length} commands reached a poll at another node ${ms(at(0.5))} (median), ` +
        `${ms(at(0.99))} (p99) and ${ms(at(1))} (slowest) after the response to their creation`,
    );
    expect(at(0.99)).toBeLessThan(deliveryMs);
  });
});

/** Returns the URLs of the nodes. In each turn, another node is the first. */
function rotated({ nodes }: TestCluster, turn: number): [string, string, ...string[]] {
  const urls = nodes.map((_, index) => nodes[(turn + index) % nodes.length]?.url);
  return urls as [string, string, ...string[]];
}

async function asOperator(
  { key }: TestCluster,
  url: string,
  method: string,
  path: string,
  body?: unknown,
) {
  const answer = await send(url, method, `/api/admin${path}`, { bearer: key, body });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
}

async function join(cluster: TestCluster, url: string, code: string, services: unknown[] = []) {
  const { token } = await asOperator(cluster, url, "POST", "/registration-tokens", {});
  return registerAgent(url, token, code, services);
}

async function heldPolls(cluster: TestCluster, url: string): Promise<number> {
  return (await asOperator(cluster, url, "GET", "/diagnostics")).queues.heldPolls;
}

function ms(duration: number): string {
  return `${duration.toFixed(1)} ms`;
}
