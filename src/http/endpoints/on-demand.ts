import { plainInput } from "../../api/contract/plain-input.ts";
import { plainRoutes } from "../../api/contract/plain-routes.ts";
import { loadRoutes, nounOf } from "../../api/on-demand.ts";
import { type Endpoints, endpointIn } from "../endpoint.ts";
import { loaders } from "./loaders.ts";

/**
 * Loads the use cases of a noun when one of its routes is called, and its schemas only if the input
 * of the call is not plain. Only the command line uses this.
 */
export const endpointsOnDemand: Endpoints = async (call) => {
  const { route: name } = call;
  const noun = nounOf(name);
  const plain = plainRoutes[name];
  const input = plain && plainInput(plain, call);
  const [routes, { handlers }] = await Promise.all([
    plain && input ? { [name]: plain.spec } : loadRoutes(noun),
    loaders[noun](),
  ]);
  return { ...endpointIn(routes, handlers, name), ...(input ? { input } : {}) };
};
