// The tables of routes, each loaded when it is asked for: building the schemas of all takes longer than
// most commands do. A server has them all from its start, by index.ts.

import type { RouteSpec } from "./contract/route.ts";
import type { RouteName } from "./index.ts";
import { loaders } from "./loaders.ts";

/** What the names of a table's routes begin with: `agents`, before the dot. */
export type Noun = keyof typeof loaders;

/** The noun of a route. */
export function nounOf(name: RouteName): Noun {
  return name.slice(0, name.indexOf(".")) as Noun;
}

/** The routes of a noun, by their whole names. */
export function loadRoutes(noun: Noun): Promise<Readonly<Record<string, RouteSpec>>> {
  return loaders[noun]();
}
