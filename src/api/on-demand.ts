// Loads the routes of one noun on demand, because building all schemas takes longer than most
// commands run. A server loads all routes when it starts, through index.ts.

import type { RouteSpec } from "./contract/route.ts";
import type { RouteName } from "./index.ts";
import { loaders } from "./loaders.ts";

/** The part of a route's name before the dot: `agents`. */
export type Noun = keyof typeof loaders;

/** Returns the noun of a route. */
export function nounOf(name: RouteName): Noun {
  return name.slice(0, name.indexOf(".")) as Noun;
}

/** Returns the routes of a noun by their full names. */
export function loadRoutes(noun: Noun): Promise<Readonly<Record<string, RouteSpec>>> {
  return loaders[noun]();
}
