// Warns about a saved route that cannot create commands now or that looks like a mistake.

import { type BusRoute, doubtsOfRule, isDuplicateOf } from "../../domain/bus/bus-routes.ts";
import type { ActionEntry } from "../../domain/fleet/services.ts";
import type { Reader } from "../../store/database.ts";
import { listSimilarBusRoutes } from "../../store/tables/bus/bus-routes.ts";
import type { Ctx } from "../context.ts";
import { busTargetOf, obstacleOf } from "./route-effect.ts";

export async function warningsOf(ctx: Ctx, db: Reader, route: BusRoute): Promise<string[]> {
  const target = await busTargetOf(ctx, db, route);
  const obstacle = obstacleOf(route, target);
  const problems = target.action ? problemsOf(route, target.action) : [];
  const others = await listSimilarBusRoutes(db, route);
  const always = problems.map((problem) => `The action ${route.target.action} ${problem}.`);
  return [
    ...(obstacle === null ? [] : [`At the moment every matching event would fail: ${obstacle}`]),
    ...always,
    ...doubtsOfRule(route),
    ...doubtsAmong(route, others),
  ];
}

function doubtsAmong(route: BusRoute, others: BusRoute[]): string[] {
  const doubts: string[] = [];
  const namesake = others.find(({ name }) => name === route.name);
  if (namesake)
    doubts.push(`Another route has this name (${namesake.id}): in commands, use the routes' ids.`);
  const double = others.find((one) => isDuplicateOf(route, one));
  if (double) {
    doubts.push(
      `Route ${double.id} has the same conditions and target, and both are ENABLED: ` +
        "each matching event creates two commands.",
    );
  }
  return doubts;
}

/** Describes payload fields that contradict the action's schema for every event. */
function problemsOf({ payload }: BusRoute, { inputSchema }: ActionEntry): string[] {
  const fields = Object.keys(payload ?? { event: null });
  const { required, properties, additionalProperties } = inputSchema;
  const wanted = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const known = Object.keys(typeof properties === "object" ? (properties ?? {}) : {});
  const missing = wanted.filter((name) => !fields.includes(name));
  const strange = additionalProperties === false ? fields.filter((f) => !known.includes(f)) : [];
  return [
    ...missing.map((name) => `requires ${name}, which the payload does not contain`),
    ...strange.map((name) => `does not accept ${name}, which the payload contains`),
  ];
}
