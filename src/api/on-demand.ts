// Loads the routes of one noun, because building all schemas takes longer than most commands run.

import type { RouteSpec } from "./contract/route.ts";
import type { RouteName } from "./index.ts";
import { loaders } from "./loaders.ts";

/** The part of a route's name before the dot: `agents`. */
export type Noun = keyof typeof loaders;

export type RoutesOf<N extends Noun> = Awaited<ReturnType<(typeof loaders)[N]>>;

export function nounOf(name: RouteName): Noun {
  return name.slice(0, name.indexOf(".")) as Noun;
}

export function loadRoutes(noun: Noun): Promise<Readonly<Record<string, RouteSpec>>> {
  return loaders[noun]();
}
