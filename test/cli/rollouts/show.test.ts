// How rollouts are described.

import { expect } from "vitest";
import { cells } from "../../../src/api/contract/cells.ts";
import { byReason } from "../../../src/cli/commands/rollouts/show.ts";
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
