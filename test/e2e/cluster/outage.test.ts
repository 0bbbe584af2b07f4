// While the database is away, nobody can be heard, so nothing counts as silence: on one server with a
// file, and on two nodes. The long form has the default settings and is away for two minutes.

import { closeSync, cpSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, inject, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { hasPostgres } from "../../helpers/postgres.ts";
import { createKey } from "../../helpers/process/operator.ts";
import {
  type RemoteAgent,
  registerAgent,
  send,
  startServer,
  until,
} from "../../helpers/process/process.ts";
import { hasSmallDisks, mountSmallDisk } from "../../helpers/process/small-disk.ts";
import { isLong, size } from "../../helpers/size.ts";
import { startCluster, type TestCluster } from "./cluster.ts";

const awayMs = size(9_000, 120_000);
const fullMs = size(9_000, 45_000);
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

async function underLoad({ url, key }: Pick<TestCluster, "url" | "key">) {
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

/** Starts a rollout, takes the storage away while it runs, and waits for its end. */
async function throughOutage(
  service: Pick<TestCluster, "url" | "key">,
  outage: () => Promise<unknown>,
): Promise<void> {
  const { api, rolloutId } = await underLoad(service);
  const rollout = () => api("GET", `/rollouts/${rolloutId}`);
  await until("the rollout runs", async () => (await rollout()).targets.SUCCEEDED > 0, 60_000);
  await outage();
  const ended = async () => {
    const answer = await rollout().catch(() => null);
    return answer?.completedAt ? answer : null;
  };
  const { state, targets } = await until("the rollout ends", ended, 20 * fleet * runsMs);
  expect({ state, targets }).toMatchObject({
    state: "SUCCEEDED",
    targets: { SUCCEEDED: fleet, FAILED: 0, NOT_RUN: 0 },
  });
  expect(await api("GET", "/audit-events?action=agent.offline")).toEqual([]);
  expect(await api("GET", "/commands?status=FAILED")).toEqual([]);
}

const outcome = "takes no agent for silent, runs the whole rollout, and loses no result";

test.skipIf(!hasSmallDisks())(
  `a server whose disk is full ${outcome}`,
  { timeout: 0 },
  async () => {
    const folder = temporaryFolder();
    const prepared = join(temporaryFolder(), "data");
    cpSync(inject("templateDataDir"), prepared, { recursive: true });
    const key = await createKey({ file: join(prepared, "platform.db") });
    const disk = await mountSmallDisk(folder, 16);
    const dataDir = join(folder, "data");
    cpSync(prepared, disk.outside(dataDir), { recursive: true });
    const server = await startServer({ dataDir, enter: disk.enter, env: settings });
    const filler = disk.outside(join(dataDir, "filler"));
    const fillDisk = async () => {
      fillWith(filler);
      const isFull = async () =>
        (await send(server.url, "GET", "/api/system/ready")).status === 503;
      await until("the disk is full", isFull);
      await sleep(fullMs);
      rmSync(filler);
    };
    await throughOutage({ url: server.url, key }, fillDisk);
  },
);

/** Writes to the file until the disk is full. */
function fillWith(path: string): void {
  const file = openSync(path, "w");
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
  } finally {
    closeSync(file);
  }
}

test.skipIf(!hasPostgres)(
  `a cluster whose database is away ${outcome}`,
  { timeout: 0 },
  async () => {
    const cluster = await startCluster({ nodes: 2, settings });
    const cut = async () => {
      for (const proxy of cluster.proxies) proxy.cutAll();
      await sleep(awayMs);
      for (const proxy of cluster.proxies) proxy.restore();
    };
    await throughOutage(cluster, cut);
  },
);
