// The parts that `dispatch` needs to handle a call: the rules of its route, and the use case.

import type { PlainInput } from "../api/contract/plain-input.ts";
import type { RouteRules } from "../api/contract/route.ts";
import type { RouteName } from "../api/index.ts";
import type { Ctx } from "../core/context.ts";
import { exportHandler, type ListHandler } from "../core/list-export.ts";

type AnyHandler = (ctx: Ctx, input: unknown) => unknown;

export interface Endpoint {
  spec: RouteRules;
  handler: AnyHandler;
  /** The input of the call, if it was checked without the schemas. */
  input?: PlainInput;
}

interface CallOfRoute {
  route: RouteName;
  params: Record<string, unknown>;
  query: Record<string, unknown>;
}

/** Returns a promise if the endpoint must be loaded first. */
export type Endpoints = (call: CallOfRoute) => Endpoint | Promise<Endpoint>;

/** The export of a list uses the handler of the list. */
export function endpointIn(
  routes: Readonly<Record<string, RouteRules>>,
  handlers: Readonly<Record<string, unknown>>,
  name: RouteName,
): Endpoint {
  const spec = routes[name] as RouteRules;
  if (spec.exportOf === undefined) return { spec, handler: handlers[name] as AnyHandler };
  const list = handlers[spec.exportOf] as ListHandler;
  return { spec, handler: exportHandler(spec.exportOf, list) as AnyHandler };
}
