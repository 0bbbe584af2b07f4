// Binds the routes of api/bus/bus-routes.ts to their use cases.

import type { busRoutes } from "../../../api/bus/bus-routes.ts";
import {
  createBusRoute,
  deleteBusRoute,
  getBusRoute,
  listBusRoutes,
  updateBusRoute,
} from "../../../core/bus/bus-routes.ts";
import { replayRoute } from "../../../core/bus/replays.ts";
import { testBusRoute, testRule } from "../../../core/bus/route-tests.ts";
import type { HandlersOf } from "../../dispatch.ts";

export const busRouteHandlers: HandlersOf<typeof busRoutes> = {
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
