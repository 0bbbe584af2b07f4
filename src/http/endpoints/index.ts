// Binds every route to its use case. A server loads all of them when it starts.

import { routes } from "../../api/index.ts";
import { type Endpoints, endpointIn } from "../endpoint.ts";
import { loaders } from "./loaders.ts";

export async function loadEveryEndpoint(): Promise<Endpoints> {
  const modules = await Promise.all(Object.values(loaders).map((load) => load()));
  const handlers = Object.assign({}, ...modules.map((module) => module.handlers));
  return ({ route }) => endpointIn(routes, handlers, route);
}
