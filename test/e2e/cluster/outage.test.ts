// While the database is away, nobody can be heard, so nothing counts as silence: on one server with a
// file, and on two nodes. The long form has the default settings and is away for two minutes.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { atEnd } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { type RemoteAgent, registerAgent, send, until } from "../../helpers/process/process.ts";
import { isLong, size } from "../../helpers/size.ts";
import { startCluster, type TestCluster } from "./cluster.ts";

const awayMs = size(9_000, 120_000);
const fleet = size(6, 30);
/** An action takes this long, and the server waits for it a little longer. */
const runsMs = size(1_500, 20_000);
const settings = isLong
  ? {}
  : {
      PLATFORM_AGENT_HEARTBEAT_INTERVAL_SECONDS: "1",
      PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "4",
      PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: "5",
      PLATFORM_MAINTENANCE_INTERVAL_SECONDS: "1",
    };
const retryMs = 1_000;

/** Beats and works like an agent, and repeats what was not accepted. */
function runAgent({ call }: RemoteAgent) {
  const isOver = { now: false };
  atEnd(() => {
    isOver.now = true;
  });
  const keep = async (work: () => Promise<unknown>, pauseMs: number) => {
    while (!isOver.now) {
      await work().catch(() => undefined);
      await sleep(pauseMs);
    }
  };
  const run = async (id: string) => {
    await sleep(runsMs);
    for (let status = 0; status !== 200 && status !== 409 && !isOver.now; ) {
      const sent = call("POST", `/commands/${id}/result`, { success: true });
      status = (await sent.catch(() => null))?.status ?? 0;
      if (status !== 200) await sleep(retryMs);
    }
  };
  void keep(() => call("POST", "/heartbeat", {}), size(500, 30_000));
  void keep(async () => {
    const { body } = await call("GET", "/commands?wait=2");
    for (const { id } of body.data.commands) void run(id);
  }, 100);
}

async function underLoad(cluster: TestCluster) {
  const { url, key } = cluster;
  const api = async (method: string, path: string, body?: object) => {
    const more = body === undefined ? {} : { body };
    const answer = await send(url, method, `/api/admin${path}`, { bearer: key, ...more });
    expect(answer.status).toBeLessThan(300);
    return answer.body.data;
  };
  for (let n = 0; n < fleet; n++) {
    const code = `svc-${n}`;
    const timeoutSeconds = Math.ceil(runsMs / 1000) + 1;
    const actions = [{ name: "restart", prepare: false, timeoutSeconds }];
    const { token } = await api("POST", "/registration-tokens", {});
    const service = { code, name: code, version: "1", healthStatus: "UP", actions };
    runAgent(await registerAgent(url, token, `agent-${n}`, [service]));
  }
  const { id } = await api("POST", "/rollouts", {
    action: "restart",
    selector: "",
    maxParallel: 2,
  });
  return { api, rolloutId: id as string };
}

describe.skipIf(!hasPostgres)("two nodes whose database is away", () => {
  test("take no agent for silent, run the whole rollout, and lose no result", {
    timeout: 0,
  }, async () => {
    const cluster = await startCluster({ nodes: 2, settings });
    const { api, rolloutId } = await underLoad(cluster);
    const rollout = () => api("GET", `/rollouts/${rolloutId}`);
    await until("the rollout runs", async () => (await rollout()).targets.SUCCEEDED > 0, 60_000);
    for (const proxy of cluster.proxies) proxy.cutAll();
    await sleep(awayMs);
    for (const proxy of cluster.proxies) proxy.restore();
    const ended = async () => {
      const answer = await rollout().catch(() => null);
      return answer?.completedAt ? answer : null;
    };
    const { state, targets } = await until("the rollout ends", ended, 20 * fleet * runsMs);
    expect({ state, targets }).toMatchObject({
      state: "SUCCEEDED",
      targets: { SUCCEEDED: fleet, FAILED: 0, NOT_RUN: 0 },
    });
    const counted = (what: string) => cluster.rows(`SELECT COUNT(*) FROM ${what}`);
    expect(await counted("audit_events WHERE action = 'agent.offline'")).toEqual([["0"]]);
    expect(await counted("commands WHERE status <> 'SUCCEEDED'")).toEqual([["0"]]);
  });
});
