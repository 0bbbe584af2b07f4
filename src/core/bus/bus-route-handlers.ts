// The handlers of api/bus/bus-routes.ts.

import type { busRoutes } from "../../api/bus/bus-routes.ts";
import type { HandlersOf } from "../handlers.ts";
import {
  createBusRoute,
  deleteBusRoute,
  getBusRoute,
  listBusRoutes,
  updateBusRoute,
} from "./bus-routes.ts";
import { replayRoute } from "./replays.ts";
import { testBusRoute, testRule } from "./route-tests.ts";

export const handlers: HandlersOf<typeof busRoutes> = {
  "bus-routes.list": (ctx, { query }) => listBusRoutes(ctx, query),
  "bus-routes.create": (ctx, { body }) => createBusRoute(ctx, body),
  "bus-routes.test-draft": (ctx, { body }) => testRule(ctx, body.route, body),
  "bus-routes.replay": (ctx, { body }) => replayRoute(ctx, body),
  "bus-routes.get": (ctx, { params }) => getBusRoute(ctx, params.routeId),
  "bus-routes.update": (ctx, { params, body: { version, ...rule } }) =>
    updateBusRoute(ctx, params.routeId, rule, version),
  "bus-routes.delete": (ctx, { params }) => deleteBusRoute(ctx, params.routeId),
  "bus-routes.test": (ctx, { params, body }) => testBusRoute(ctx, params.routeId, body),
};
