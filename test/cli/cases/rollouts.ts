// Golden cases for rollouts. No job drives them in these tests, so they stay as they were created.

import { advanceRollout } from "../../../src/core/rollouts/advance.ts";
import { until } from "../../helpers/process/process.ts";
import type { World } from "../world.ts";
import type { Cases } from "./case.ts";

async function rollout(world: World): Promise<string> {
  const { id } = await world.as("operator").call("rollouts.create", {
    body: {
      action: "snore",
      selector: "",
      name: "Good night",
      waves: ["1"],
      payload: { hours: 8 },
    },
  });
  return id;
}

const started = async (world: World) => [await rollout(world)];

/** Creates a rollout on the agent that works, and drives it to its end. */
async function ended(world: World, action: "set-level" | "explode"): Promise<string> {
  const operator = world.as("operator");
  const body = { action, services: ["log-collector"] };
  const { id: rolloutId } = await operator.call("rollouts.create", { body });
  await until("the rollout ends", async () => {
    await advanceRollout(world.app.core, rolloutId);
    const { completedAt } = await operator.call("rollouts.get", { params: { rolloutId } });
    return completedAt !== null;
  });
  return rolloutId;
}

const act = (how: "pause" | "resume" | "cancel") => async (world: World) => {
  const rolloutId = await rollout(world);
  if (how === "resume")
    await world.as("operator").call("rollouts.pause", { params: { rolloutId } });
  return how === "cancel" ? [rolloutId, "--yes"] : [rolloutId];
};

export const rollouts: Cases = {
  "rollouts list": {
    once: true,
    words: async (world) => {
      await rollout(world);
      return ["--state", "running"];
    },
    route: "rollouts.list",
  },
  "rollouts get": {
    once: true,
    words: started,
    route: "rollouts.get",
  },
  "rollouts start": {
    words: () => ["snore", "--service", "sleeper", "--set", "hours=8", "--yes"],
    route: "rollouts.create",
    same: (api, { id }) => api.call("rollouts.get", { params: { rolloutId: id } }),
  },
  "rollouts targets": {
    once: true,
    words: started,
    route: "rollouts.targets",
  },
  "rollouts results": {
    once: true,
    words: async (world) => [await ended(world, "set-level")],
    route: "rollouts.results",
    varies: ["duration", "ended"],
  },
  "rollouts watch": {
    once: true,
    words: async (world) => [await ended(world, "set-level")],
    route: "rollouts.get",
    like: "rollouts get",
  },
  "rollouts retry": {
    words: async (world) => [await ended(world, "explode"), "--yes"],
    route: "rollouts.retry",
    same: (api, { id }) => api.call("rollouts.get", { params: { rolloutId: id } }),
  },
  "rollouts pause": { onlyTable: true, words: act("pause"), route: "rollouts.pause" },
  "rollouts resume": { words: act("resume"), route: "rollouts.resume", like: "rollouts get" },
  "rollouts cancel": { onlyTable: true, words: act("cancel"), route: "rollouts.cancel" },
};
