// What somebody who saves a route should hear: as things stand it could make no command, or it looks
// like a mistake. The route is saved all the same: its target may come later.

import { type BusRoute, doubtsOfRule, isDoubleOf } from "../../domain/bus/bus-routes.ts";
import type { ActionEntry } from "../../domain/services.ts";
import { listBusRoutesByName } from "../../store/bus/bus-routes.ts";
import type { Reader } from "../../store/database.ts";
import type { Ctx } from "../context.ts";
import { busTargetOf, hindranceOf } from "./route-effect.ts";

/** A sentence each. */
export async function warningsOf(ctx: Ctx, db: Reader, route: BusRoute): Promise<string[]> {
  const target = await busTargetOf(ctx, db, route);
  const hindrance = hindranceOf(route, target);
  const misfits = target.action ? misfitsOf(route, target.action) : [];
  const namesakes = await listBusRoutesByName(db, route.name, route.id);
  const always = misfits.map((misfit) => `The action ${route.target.action} ${misfit}.`);
  return [
    ...(hindrance === null ? [] : [`As things stand, every event would fail: ${hindrance}`]),
    ...always,
    ...doubtsOfRule(route),
    ...doubtsOfName(route, namesakes),
  ];
}

function doubtsOfName(route: BusRoute, namesakes: BusRoute[]): string[] {
  const [oldest] = namesakes;
  if (!oldest) return [];
  const double = namesakes.find((one) => isDoubleOf(route, one));
  const sameName = `Another route has this name: ${oldest.id}. The command line asks for ids then.`;
  if (!double) return [sameName];
  return [
    sameName,
    `Route ${double.id} has the same conditions and target, and both are ENABLED: ` +
      "each event that matches will make a command by both.",
  ];
}

/** What the action's schema says against the payload's fields, whatever the event holds. */
function misfitsOf({ payload }: BusRoute, { inputSchema }: ActionEntry): string[] {
  const fields = Object.keys(payload ?? { event: null });
  const { required, properties, additionalProperties } = inputSchema;
  const wanted = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const known = Object.keys(typeof properties === "object" ? (properties ?? {}) : {});
  const missing = wanted.filter((name) => !fields.includes(name));
  const strange = additionalProperties === false ? fields.filter((f) => !known.includes(f)) : [];
  return [
    ...missing.map((name) => `requires ${name}, which the payload does not have`),
    ...strange.map((name) => `takes no ${name}, which the payload has`),
  ];
}
