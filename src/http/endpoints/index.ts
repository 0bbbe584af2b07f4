// Binds every route to its use case. A server loads all of them when it starts.

import { routes } from "../../api/index.ts";
import { bind, type Endpoint, type Endpoints } from "../dispatch.ts";
import { loaders } from "./loaders.ts";

export async function loadEveryEndpoint(): Promise<Endpoints> {
  const modules = await Promise.all(Object.values(loaders).map((load) => load()));
  const handlers = Object.assign({}, ...modules.map((module) => module.handlers));
  const endpoints = bind(routes, handlers);
  return (name) => endpoints[name] as Endpoint;
}
