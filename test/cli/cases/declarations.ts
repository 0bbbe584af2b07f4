// Golden cases for saved views and declarations.

import type { World } from "../world.ts";
import { type Cases, nextNumber } from "./case.ts";

async function someView(world: World): Promise<string> {
  const query = { status: "OFFLINE", sort: "-code" };
  const body = {
    name: `offline ${nextNumber(world)}`,
    noun: "agents",
    query,
    shared: true,
  } as const;
  return (await world.as("operator").call("saved-views.create", { body })).name;
}

const declared = `kind: BusRoute
name: louder
match: { type: log.full }
target: { serviceCode: log-collector, action: set-level }
---
kind: SavedView
name: offline
noun: agents
query: { status: OFFLINE }
---
kind: Settings
settings: { workspaceName: Production }
`;

export const declarations: Cases = {
  "views list": {
    once: true,
    words: async (world) => {
      await someView(world);
      return ["--list", "agents"];
    },
    route: "saved-views.list",
  },
  "views get": {
    once: true,
    words: async (world) => [await someView(world)],
    route: "saved-views.get",
  },
  "views create": {
    words: (world) => [
      ...[`down ${nextNumber(world)}`, "--list", "services"],
      ...["--set", "healthStatus=DOWN", "--shared"],
    ],
    route: "saved-views.create",
    like: "views get",
  },
  "views update": {
    words: async (world) => [await someView(world), "--set", "sort=name", "--unset", "status"],
    route: "saved-views.update",
    like: "views get",
  },
  "views delete": {
    onlyTable: true,
    words: async (world) => [await someView(world), "--yes"],
    route: "saved-views.delete",
  },
  apply: {
    words: () => ["-f", "-", "--dry-run"],
    stdin: declared,
    route: "declarations.preview",
  },
};
