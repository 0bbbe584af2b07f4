import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Client } from "../../../src/client/client.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import type { World } from "../world.ts";
import type { Case } from "./case.ts";

const someRule = {
  name: "louder",
  match: { type: "log.full", data: { "/disk": "full" } },
  target: { serviceCode: "log-collector", action: "set-level" },
  payload: { level: { const: "debug" }, lines: "/data/lines" },
};

const event = { type: "log.full", source: "log-collector", data: { disk: "full", lines: 3 } };

const made = new WeakMap<World, number>();

/** Each of a world has a name of its own. */
function newRule(world: World) {
  const number = (made.get(world) ?? 0) + 1;
  made.set(world, number);
  return { ...someRule, name: `louder ${number}` };
}

/** A new route; answers its name. */
async function make(world: World): Promise<string> {
  const body = newRule(world);
  return (await world.as("operator").call("bus-routes.create", { body })).name;
}

function file(content: object): string {
  const path = join(temporaryFolder(), "route.yaml");
  writeFileSync(path, JSON.stringify(content));
  return path;
}

const getRoute = (api: Client, { id }: { id: string }) =>
  api.call("bus-routes.get", { params: { routeId: id } });

/** As it is printed after it was saved. */
const saved: NonNullable<Case["same"]> = async (api, printed) => ({
  ...(await getRoute(api, printed)),
  warnings: expect.any(Array),
});

export const busRoutes: Record<string, Case> = {
  "routes list": {
    words: async (world) => {
      await make(world);
      return ["--state", "DISABLED", "--limit", "1"];
    },
    route: "bus-routes.list",
    same: async (api) => (await api.page("bus-routes.list", { query: { pageSize: 1 } })).data,
  },
  "routes get": {
    words: async (world) => [await make(world)],
    route: "bus-routes.get",
    same: getRoute,
  },
  "routes create": {
    words: (world) => ["-f", file(newRule(world)), "--state", "DRY_RUN"],
    route: "bus-routes.create",
    same: saved,
  },
  "routes update": {
    words: async (world) => [await make(world), "-f", file(newRule(world))],
    route: "bus-routes.update",
    same: saved,
  },
  "routes edit": {
    words: async (world) => [await make(world)],
    route: "bus-routes.get",
    same: getRoute,
  },
  "routes enable": {
    words: async (world) => [await make(world)],
    route: "bus-routes.update",
    same: saved,
  },
  "routes dry-run": {
    words: async (world) => [await make(world)],
    route: "bus-routes.update",
    same: saved,
  },
  "routes disable": {
    words: async (world) => [await make(world)],
    route: "bus-routes.update",
    same: saved,
  },
  "routes delete": {
    words: async (world) => [await make(world), "--yes"],
    route: "bus-routes.delete",
  },
  "routes test": {
    words: async (world) => [await make(world), "--event", file(event)],
    route: "bus-routes.test",
  },
};
