// Two schedules that are due every minute: an action on one service, and a rollout on all services
// of the fleet of the rollout tests.

import { expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { until } from "../../helpers/process/process.ts";
import { type Machine, type Rows, services } from "../rollouts/fleet.ts";

const action = "deploy";

/** Creates the schedules. Returns the time at which they are first due, in Unix milliseconds. */
export async function createSchedules(operator: Client): Promise<number> {
  const timing = { cron: "* * * * *", missed: "once", overlap: "wait" } as const;
  const targets = [
    { kind: "action" as const, service: "web-1", action },
    { kind: "rollout" as const, selector: "tier=web", action, maxParallel: 20 },
  ];
  const due: number[] = [];
  for (const target of targets) {
    const body = { ...timing, name: target.kind, target };
    const { nextRunAt } = await operator.call("schedules.create", { body });
    due.push(Date.parse(nextRunAt ?? ""));
  }
  return Math.max(...due);
}

/** Waits until the balancer has a node. Without a node, it refuses calls. */
export async function untilServed(operator: Client): Promise<void> {
  await until("a node is served", () =>
    operator.call("overview.get").then(
      () => true,
      () => false,
    ),
  );
}

/** Waits until this time, in Unix milliseconds. The servers use the same clock. */
export async function untilTime(at: number): Promise<void> {
  await until("it is time", () => Date.now() >= at, 120_000);
}

/** Pauses the schedules and waits until nothing runs. */
export async function settle(operator: Client): Promise<void> {
  for (const { id } of await operator.call("schedules.list", {})) {
    const params = { scheduleId: id };
    await until("it has run", async () => {
      const query = { state: "SUCCEEDED" as const };
      return (await operator.call("schedules.runs", { params, query })).length > 0;
    });
    await operator.call("schedules.pause", { params });
    await until("no run is open", async () => {
      const query = { state: ["WAITING" as const, "STARTING" as const, "RUNNING" as const] };
      return (await operator.call("schedules.runs", { params, query })).length === 0;
    });
  }
}

/** Checks that each run has started one command or rollout, and that nothing else was started. */
export async function checkOnce(rows: Rows, machine: Machine): Promise<void> {
  const counted = async (sql: string) => (await rows(sql)).flat().map(Number);
  const [commands = 0] = await counted(
    `SELECT COUNT(*) FROM commands WHERE schedule_id IS NOT NULL`,
  );
  const [rollouts = 0] = await counted(`SELECT COUNT(*) FROM rollouts`);
  const [commandRuns] = await counted(
    `SELECT COUNT(DISTINCT command_id) FROM schedule_runs WHERE command_id IS NOT NULL`,
  );
  const [rolloutRuns] = await counted(
    `SELECT COUNT(DISTINCT rollout_id) FROM schedule_runs WHERE rollout_id IS NOT NULL`,
  );
  expect([commandRuns, rolloutRuns]).toEqual([commands, rollouts]);
  const failed = `SELECT error_code, error_message FROM schedule_runs WHERE state = 'FAILED'`;
  expect(await rows(failed)).toEqual([]);
  expect(commands).toBeGreaterThan(0);
  expect(rollouts).toBeGreaterThan(0);
  expect(machine.executions.length).toBe(commands + rollouts * services);
}
