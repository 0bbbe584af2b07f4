// How rollouts are described.

import { expect } from "vitest";
import { cells } from "../../../src/api/contract/cells.ts";
import { byReason, type RolloutDetail } from "../../../src/cli/commands/rollouts/show.ts";
import { holdOf, lineOf } from "../../../src/cli/commands/rollouts/watch.ts";
import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { test } from "../world.ts";

test("the counts of a rollout name every state", () => {
  const targets = { WAITING: 0, RUNNING: 4, CHECKING: 0, SUCCEEDED: 13, FAILED: 1, NOT_RUN: 22 };
  expect(cells.rolloutProgress({ total: 40, targets })).toBe(
    "13 succeeded, 1 failed, 4 running, 22 not run",
  );
  const leftOut = { total: 2, reasons: [{ code: "AGENT_OFFLINE", count: 2 }] };
  expect(cells.rolloutProgress({ total: 1, targets: { WAITING: 1 }, leftOut })).toBe(
    "1 waiting, 2 left out",
  );
});

test("services are left out together if the reasons differ only in the agent", () => {
  const leftOut = (at: number, message: string) => ({
    serviceId: `svc_${at}`,
    serviceCode: `web-${at}`,
    agentId: `agt_${at}`,
    agentCode: `edge-${at}`,
    code: "AGENT_OFFLINE",
    message,
  });
  const stopped = [1, 2].map((at) => leftOut(at, `The agent edge-${at} was stopped.`));
  const silent = leftOut(3, "The agent edge-3 has not called for a while.");
  expect(byReason([...stopped, silent])).toBe(
    "  web-1, web-2: The agent was stopped.\n" +
      "  web-3: The agent edge-3 has not called for a while.\n",
  );
});

test("a paused rollout says how to continue it", async ({ world }) => {
  const body = { action: "snore", selector: "" };
  const { id } = await world.as("operator").call("rollouts.create", { body });
  await world.as("operator").call("rollouts.pause", { params: { rolloutId: id } });
  const { stderr } = await world.run("--server", ["rollouts", "get", id]);
  expect(stderr).toBe(`\nTo continue: platformctl rollouts resume ${id}\n`);
});

test("a rollout that is paused between two waves says how many are done", () => {
  const targets = { WAITING: 3, RUNNING: 0, CHECKING: 0, SUCCEEDED: 1, FAILED: 0, NOT_RUN: 0 };
  const paused = { state: "PAUSED", stateReason: "WAVE_ENDED", wave: 2, waveCount: 4, total: 4 };
  const rollout = { ...paused, targets } as RolloutDetail;
  expect(lineOf(rollout)).toBe("PAUSED: 1 of 4 waves done, 1 of 4 succeeded");
  expect(cells.rolloutWave(rollout)).toBe("1 of 4 done");
  expect(cells.rolloutWave({ ...rollout, stateReason: "OPERATOR" })).toBe("2 of 4");
});

test("a watch names the service that it waits for if its agent is silent", async ({ world }) => {
  const operator = world.as("operator");
  const body = { action: "snore", services: ["sleeper"] };
  const { id } = await operator.call("rollouts.create", { body });
  while (await advanceRollout(world.app.core, id));
  const rollout = await operator.call("rollouts.get", { params: { rolloutId: id } });
  const hold = () => holdOf(operator, rollout, world.clock.now());
  expect(rollout.targets.RUNNING).toBe(1);
  expect(await hold()).toBeNull();
  world.clock.advance(120_000);
  const says = "edge-2 last seen 2m ago; command expires in 3m";
  expect(await hold()).toBe(`sleeper not fetched yet: ${says}`);
  const call = async () => Promise.reject(new Error("no answer"));
  expect(await holdOf({ ...operator, call, page: call }, rollout, world.clock.now())).toBeNull();
});
