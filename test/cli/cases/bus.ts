// Golden cases for the event bus.

import { expect } from "vitest";
import { fileWith, type World } from "../world.ts";
import { type Case, type Cases, nextNumber } from "./case.ts";

const sent = { type: "log.full", source: "log-collector", data: { lines: 3 } };

const toSleeper = {
  name: "louder",
  state: "ENABLED",
  match: { type: "log.full" },
  // No agent fetches the command, so its state does not change.
  target: { serviceCode: "sleeper", action: "snore" },
} as const;

/** Publishes an event for which the world's only route creates a command. */
async function publish({ as }: World): Promise<string> {
  const operator = as("operator");
  const { pagination } = await operator.page("bus-routes.list");
  if (pagination.total === 0) await operator.call("bus-routes.create", { body: toSleeper });
  return (await operator.call("bus-events.publish", { body: sent })).id;
}

const someRule = {
  match: { type: "log.full", data: { "/disk": "full" } },
  target: { serviceCode: "log-collector", action: "set-level" },
  payload: { level: { const: "debug" }, lines: "/data/lines" },
};

const newRule = (world: World) => ({ name: `louder ${nextNumber(world)}`, ...someRule });

async function someRoute(world: World): Promise<string> {
  const body = newRule(world);
  return (await world.as("operator").call("bus-routes.create", { body })).name;
}

const changed = { words: async (world: World) => [await someRoute(world)], like: "routes get" };

const saved: NonNullable<Case["same"]> = async (api, { id }) => ({
  ...(await api.call("bus-routes.get", { params: { routeId: id } })),
  warnings: expect.any(Array),
});

export const bus: Cases = {
  "events list": {
    once: true,
    words: async (world) => {
      await publish(world);
      return [];
    },
    route: "bus-events.list",
  },
  "events get": {
    once: true,
    words: async (world) => [await publish(world)],
    route: "bus-events.get",
  },
  "events publish": {
    words: () => ["-f", fileWith(sent), "--subject", "app.log"],
    route: "bus-events.publish",
    same: async (api, { id }) => ({
      ...(await api.call("bus-events.get", { params: { eventId: id } })),
      duplicate: false,
    }),
  },
  "routes list": {
    once: true,
    words: async (world) => {
      await someRoute(world);
      return ["--state", "DISABLED"];
    },
    route: "bus-routes.list",
  },
  "routes get": {
    once: true,
    words: async (world) => [await someRoute(world)],
    route: "bus-routes.get",
  },
  "routes create": {
    words: (world) => ["-f", fileWith(newRule(world)), "--state", "DRY_RUN"],
    route: "bus-routes.create",
    same: saved,
  },
  "routes update": {
    words: async (world) => {
      const name = await someRoute(world);
      return [name, "-f", fileWith({ ...someRule, name, payload: { lines: "/data/count" } })];
    },
    route: "bus-routes.update",
    like: "routes get",
  },
  "routes edit": { ...changed, route: "bus-routes.get" },
  "routes enable": { ...changed, route: "bus-routes.update" },
  "routes dry-run": { ...changed, route: "bus-routes.update" },
  "routes disable": { ...changed, route: "bus-routes.update" },
  "routes delete": {
    onlyTable: true,
    words: async (world) => [await someRoute(world), "--yes"],
    route: "bus-routes.delete",
  },
  "routes test": {
    once: true,
    words: async (world) => [
      await someRoute(world),
      ...["--event", fileWith({ ...sent, data: { disk: "full", lines: 3 } })],
    ],
    route: "bus-routes.test",
  },
};
