// What runs during an outage: agents that work, a rollout, commands and schedules. Also checks them
// afterwards.

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
const minuteMs = 60_000;
/** Writes can begin to fail this long before the test notices it. */
const slackMs = 10_000;
const all = { query: { pageSize: 200 } };
const skip = "SKIPPED MISSED";

/** The beginning and the end of an outage, in Unix milliseconds. */
export interface Outage {
  from: number;
  to: number;
}

const restart = { action: "restart" } as const;
const schedules = [
  { name: "skip", missed: "skip", target: { kind: "action", service: "svc-0", ...restart } },
  { name: "once", missed: "once", target: { kind: "action", service: "svc-1", ...restart } },
  { name: "many", missed: "once", target: { kind: "rollout", agents: ["agent-2"], ...restart } },
] as const;

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

/** Starts a rollout, and schedules that are due every minute. Returns when the rollout runs. */
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
  for (const schedule of schedules) {
    const body = { ...schedule, cron: "* * * * *", overlap: "wait" } as const;
    await operator.call("schedules.create", { body: body as never });
  }
  const body = { ...restart, selector: "", maxParallel: 2 };
  const { id: rolloutId } = await operator.call("rollouts.create", { body });
  const rollout = () => operator.call("rollouts.get", { params: { rolloutId } });
  await until("the rollout runs", async () => (await rollout()).targets.SUCCEEDED > 0);
  return { operator, work, rollout };
}

export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Starts a command on each service. Returns when agents have begun to run half of them. */
export async function startCommands({ operator, work }: Load): Promise<void> {
  const before = work.times.size;
  for (const { id: serviceId } of await operator.call("services.list", all)) {
    const params = { serviceId, actionName: "restart" };
    await operator.call("actions.execute", { params, body: {} });
  }
  await until("the agents run commands", () => work.times.size >= before + fleet / 2);
}

/** Waits until the schedules have been due after this time. */
export async function untilDueSince(from: number): Promise<void> {
  const minuteOf = (at: number) => Math.floor(at / minuteMs);
  await until("a due time", () => minuteOf(Date.now()) > minuteOf(from), 2 * minuteMs);
}

/**
 * Waits for the end of the work. Fails unless each command ran once, and no agent counted as
 * silent.
 */
export async function expectNothingLost(load: Load, outage: Outage) {
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
  const runs = await expectDueTimes(operator, outage);
  const open = { query: { status: ["PENDING" as const, "RUNNING" as const] } };
  const areOver = async () => (await operator.call("commands.list", open)).length === 0;
  await until("all commands end", areOver, 5 * runsMs + minuteMs);
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
  return { targets, commands: commands.length, runs };
}

async function failedOf(operator: Client) {
  const query = { status: ["FAILED" as const, "CANCELLED" as const], pageSize: 200 };
  const failed = await operator.call("commands.list", { query });
  return failed.map(({ id, errorCode, startedAt, completedAt }) => ({
    ...{ id, errorCode, startedAt, completedAt },
  }));
}

/** Checks that each due time has a run, or is counted as missed by exactly one later run. */
async function expectDueTimes(operator: Client, outage: Outage) {
  const figures: Record<string, string[]> = {};
  for (const { id, name, missed, createdAt } of await operator.call("schedules.list")) {
    const params = { scheduleId: id };
    await operator.call("schedules.pause", { params });
    const list = () => operator.call("schedules.runs", { params, ...all });
    const areOver = async () => (await list()).every(({ endedAt }) => endedAt !== null);
    await until("its runs end", areOver, 5 * runsMs + minuteMs);
    const runs = (await list()).reverse();
    const shown = runs.map(
      ({ dueAt, state, errorCode, missedRuns }) => `${dueAt} ${state} ${errorCode} +${missedRuns}`,
    );
    figures[name] = shown;
    const first = (Math.floor(Date.parse(createdAt) / minuteMs) + 1) * minuteMs;
    const replaced = runs.flatMap(({ dueAt, missedRuns }) =>
      Array.from({ length: missedRuns }, (_, n) => Date.parse(dueAt) - (n + 1) * minuteMs),
    );
    const covered = [...runs.map(({ dueAt }) => Date.parse(dueAt)), ...replaced].sort();
    expect(covered, shown.join("\n")).toEqual(covered.map((_, n) => first + n * minuteMs));
    const ran = runs.filter(({ state }) => state === "SUCCEEDED");
    const started = ran.map(({ commandId, rolloutId }) => commandId ?? rolloutId);
    expect(new Set(started)).toHaveLength(ran.length);
    const skipped = runs.filter(({ state, errorCode }) => `${state} ${errorCode}` === skip);
    expect(runs, shown.join("\n")).toHaveLength(ran.length + skipped.length);
    if (missed === "once") expect(skipped).toEqual([]);
    else expect(ran.every(({ missedRuns }) => missedRuns === 0)).toBe(true);
    const lost = [...skipped.map(({ dueAt }) => Date.parse(dueAt)), ...replaced];
    expect(lost.every((at) => at > outage.from - slackMs && at < outage.to)).toBe(true);
    const mustBeLost = covered.filter((at) => at > outage.from && at < outage.to - minuteMs);
    expect(lost).toEqual(expect.arrayContaining(mustBeLost));
  }
  return figures;
}
