import { loadRoutes, nounOf } from "../../api/on-demand.ts";
import { type Endpoints, endpointIn } from "../dispatch.ts";
import { loaders } from "./loaders.ts";

/** Loads the routes of a noun when one of them is called. Only the command line uses this. */
export const endpointsOnDemand: Endpoints = async (name) => {
  const noun = nounOf(name);
  const [routes, { handlers }] = await Promise.all([loadRoutes(noun), loaders[noun]()]);
  return endpointIn(routes, handlers, name);
};
