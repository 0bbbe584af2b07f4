// What runs during an outage: agents that work, a rollout and commands. Also checks them afterwards.

import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { atEnd } from "../../helpers/lifetime.ts";
import { type RemoteAgent, registerAgent, until } from "../../helpers/process/process.ts";
import { clientOf } from "../rollouts/fleet.ts";
import type { TestCluster } from "./cluster.ts";

const fleet = 30;
/**
 * An action takes this long. Its timeout allows a few seconds more, but not as long as the outage.
 */
const runsMs = 20_000;
const timeoutSeconds = 30;
const retryMs = 1_000;
const all = { query: { pageSize: 200 } };

/** The agents' side of the commands. */
class Work {
  /** How often each command was run. */
  readonly times = new Map<string, number>();

  /** Sends heartbeats and reports, and runs commands like an agent. Repeats calls that fail. */
  start({ call }: RemoteAgent, service: object): void {
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
    const held = new Set<string>();
    const run = async (id: string) => {
      this.times.set(id, (this.times.get(id) ?? 0) + 1);
      held.add(id);
      await sleep(runsMs);
      for (let status = 0; status !== 200 && status !== 409 && !isOver.now; ) {
        const sent = call("POST", `/commands/${id}/result`, { success: true });
        status = (await sent.catch(() => null))?.status ?? 0;
        if (status !== 200) await sleep(retryMs);
      }
      held.delete(id);
    };
    const beatMs = 30_000;
    void keep(() => call("POST", "/heartbeat", {}), beatMs);
    void keep(() => call("POST", "/services", { services: [service] }), beatMs);
    void keep(async () => {
      const { body } = await call("GET", `/commands?wait=2&held=${[...held].join(",")}`);
      for (const { id } of body.data.commands) void run(id);
    }, 100);
  }
}

/** Starts a rollout. Resolves when it runs. */
export async function startLoad({ url, key }: Pick<TestCluster, "url" | "key">) {
  const operator = clientOf(url, key);
  const work = new Work();
  const actions = [{ name: "restart", prepare: false, timeoutSeconds }];
  for (let n = 0; n < fleet; n++) {
    const code = `svc-${n}`;
    const { token } = await operator.call("registration-tokens.create", { body: {} });
    const service = { code, name: code, version: "1", healthStatus: "UP", actions };
    work.start(await registerAgent(url, token, `agent-${n}`, [service]), service);
  }
  const body = { action: "restart", selector: "", maxParallel: 2 };
  const { id: rolloutId } = await operator.call("rollouts.create", { body });
  const rollout = () => operator.call("rollouts.get", { params: { rolloutId } });
  await until("the rollout runs", async () => (await rollout()).targets.SUCCEEDED > 0);
  return { operator, work, rollout };
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Starts a command on each service. Resolves when agents have begun to run half of them. */
export async function startCommands({ operator, work }: Load): Promise<void> {
  const before = work.times.size;
  for (const { id: serviceId } of await operator.call("services.list", all)) {
    const params = { serviceId, actionName: "restart" };
    await operator.call("actions.execute", { params, body: {} });
  }
  await until("the agents run commands", () => work.times.size >= before + fleet / 2);
}

/**
 * Waits for the end of the work. Fails unless each command ran once, and no agent counted as
 * silent.
 */
export async function expectNothingLost(load: Load) {
  const { operator, work, rollout } = load;
  const ended = async () => {
    const answer = await rollout().catch(() => null);
    return answer?.completedAt ? answer : null;
  };
  const { state, targets } = await until("the rollout ends", ended, 20 * fleet * runsMs);
  expect(await failedOf(operator)).toEqual([]);
  expect({ state, targets }).toMatchObject({
    state: "SUCCEEDED",
    targets: { SUCCEEDED: fleet, FAILED: 0, NOT_RUN: 0 },
  });
  const open = { query: { status: ["PENDING" as const, "RUNNING" as const] } };
  const areOver = async () => (await operator.call("commands.list", open)).length === 0;
  await until("all commands end", areOver, 5 * runsMs + 60_000);
  const { data: commands, pagination } = await operator.page("commands.list", all);
  expect(commands).toHaveLength(pagination.total);
  expect(await failedOf(operator)).toEqual([]);
  const once = Object.fromEntries(commands.map(({ id }) => [id, 1]));
  expect(Object.fromEntries(work.times)).toEqual(once);
  const query = { action: "agent.offline" };
  expect(await operator.call("audit-events.list", { query })).toEqual([]);
  for (const { id: serviceId } of await operator.call("services.list", all)) {
    const { changes } = await operator.call("services.history", { params: { serviceId } });
    expect(changes.map(({ to }) => to)).toEqual(["HEALTHY"]);
  }
  return { targets, commands: commands.length };
}

async function failedOf(operator: Client) {
  const query = { status: ["FAILED" as const, "CANCELLED" as const], pageSize: 200 };
  const failed = await operator.call("commands.list", { query });
  return failed.map(({ id, errorCode, startedAt, completedAt }) => ({
    ...{ id, errorCode, startedAt, completedAt },
  }));
}
