// Activity that is kept in memory at first: when reads see it.

import { expect, vi } from "vitest";
import { flushPresence } from "../../src/core/presence/flush.ts";
import { startOfTime } from "../helpers/app.ts";
import { collector, test } from "./scene.ts";

test("a read sees what an earlier flush is still writing", async ({ scene }) => {
  const { app, agent, clock, report, service } = scene;
  const { core } = app;
  await report([collector]);
  await flushPresence(core);
  clock.advance(1000);
  await report([collector]);
  // Each part of a flush gets a transaction of its own: first the agents, then the services.
  let now = core.monotonic();
  const monotonic = vi.spyOn(core, "monotonic").mockImplementation(() => {
    now += 1000;
    return now;
  });
  const first = flushPresence(core);
  core.presence.agents.add(agent.agentId, core.now());
  await flushPresence(core);
  monotonic.mockRestore();
  const lastReportedAt = new Date(startOfTime + 1000).toISOString();
  expect(await service()).toMatchObject({ lastReportedAt });
  await first;
});
