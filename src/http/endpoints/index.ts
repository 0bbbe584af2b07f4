// Binds every route to its use case. A server loads all of them when it starts.

import { type RouteName, routes } from "../../api/index.ts";
import { bind, type Endpoint, type Endpoints } from "../dispatch.ts";
import { handlers } from "./handlers.ts";

const endpoints = bind(routes, handlers) as Record<RouteName, Endpoint>;

export const everyEndpoint: Endpoints = (name) => endpoints[name];
