// Golden cases for schedules. No job fires them in these tests.

import { withKey } from "../../core/access/people.ts";
import type { World } from "../world.ts";
import { type Case, type Cases, nextNumber } from "./case.ts";

const newName = (world: World) => `good night ${nextNumber(world)}`;

async function schedule(world: World, more: object = {}): Promise<string> {
  const target = { kind: "action", service: "sleeper", action: "snore", payload: { hours: 8 } };
  const timing = { cron: "30 2 * * 0", timezone: "Europe/Berlin" };
  const body = { name: newName(world), ...timing, target, ...more };
  const { name } = await world.as("operator").call("schedules.create", { body: body as never });
  return name;
}

const one = async (world: World) => [await schedule(world)];

const saved: NonNullable<Case["same"]> = (api, { id }) =>
  api.call("schedules.get", { params: { scheduleId: id } });

const withoutWarnings: NonNullable<Case["same"]> = async (api, schedule) => {
  const { warnings: _, ...same } = await api.call("schedules.get", {
    params: { scheduleId: schedule.id },
  });
  return same;
};

export const schedules: Cases = {
  "schedules list": {
    once: true,
    words: async (world) => {
      await schedule(world);
      return ["--state", "enabled"];
    },
    route: "schedules.list",
  },
  "schedules get": {
    once: true,
    words: one,
    route: "schedules.get",
  },
  "schedules create": {
    words: (world) => [
      newName(world),
      ...["--cron", "0 3 * * 0", "--timezone", "Europe/Berlin", "--missed", "once"],
      ...["--service", "sleeper", "--action", "snore", "--set", "hours=8", "--yes"],
    ],
    route: "schedules.create",
    same: saved,
  },
  "schedules update": {
    words: async (world) => [await schedule(world), "--every", "6h", "--yes"],
    route: "schedules.update",
    same: saved,
  },
  "schedules edit": { words: one, route: "schedules.get", like: "schedules get" },
  "schedules preview": {
    words: () => ["--cron", "30 2 * * 0", "--timezone", "Europe/Berlin"],
    route: "schedules.preview",
    said: (runs) => ({ runs }),
  },
  "schedules run": {
    words: async (world) => [await schedule(world), "--yes"],
    route: "schedules.run",
  },
  "schedules runs": {
    once: true,
    words: async (world) => {
      const name = await schedule(world);
      const [found] = (await world.as("viewer").page("schedules.list", { query: { q: name } }))
        .data;
      const params = { scheduleId: found?.id ?? "" };
      const operator = await withKey(world, await world.apiKey("operator"));
      await operator.call("schedules.run", { params });
      return [name];
    },
    route: "schedules.runs",
  },
  "schedules pause": {
    words: one,
    route: "schedules.pause",
    like: "schedules get",
    same: withoutWarnings,
  },
  "schedules resume": {
    words: async (world) => [await schedule(world, { state: "PAUSED" })],
    route: "schedules.resume",
    like: "schedules get",
    same: withoutWarnings,
  },
  "schedules delete": {
    onlyTable: true,
    words: async (world) => [await schedule(world), "--yes"],
    route: "schedules.delete",
  },
};
