// Loads the routes of a noun when one of them is first called. Only the command line uses this.

import type { RouteName } from "../../api/index.ts";
import { loadRoutes, type Noun, nounOf } from "../../api/on-demand.ts";
import { bind, type Endpoint, type Endpoints } from "../dispatch.ts";
import { loaders } from "./loaders.ts";

export function endpointsOnDemand(): Endpoints {
  const loaded = new Map<Noun, Promise<Readonly<Record<string, Endpoint>>>>();
  return async (name: RouteName) => {
    const noun = nounOf(name);
    let endpoints = loaded.get(noun);
    if (!endpoints) {
      endpoints = load(noun);
      loaded.set(noun, endpoints);
    }
    return (await endpoints)[name] as Endpoint;
  };
}

async function load(noun: Noun) {
  const [routes, { handlers }] = await Promise.all([loadRoutes(noun), loaders[noun]()]);
  return bind(routes, handlers);
}
