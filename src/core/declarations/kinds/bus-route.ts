import type { BusRoute, RouteRule } from "../../../domain/bus/bus-routes.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { listAllBusRoutes } from "../../../store/bus/bus-routes.ts";
import {
  createBusRouteIn,
  deleteBusRouteIn,
  ruleOf,
  updateBusRouteIn,
} from "../../bus/bus-routes.ts";
import { warningsOf } from "../../bus/route-warnings.ts";
import type { DocumentOf, Kind, Stored } from "../kind.ts";

type StoredRoute = Stored & { route: BusRoute };

export const busRouteKind: Kind<DocumentOf<"BusRoute">, StoredRoute> = {
  owned: true,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const routes = await listAllBusRoutes(db);
    return routes.map((route) => {
      const { id, name, declared: set = null, version } = route;
      return { id, name, set, stamp: String(version), route };
    });
  },
  async issuesOf({ ctx }) {
    if (ctx.core.settings.busEnabled) return [];
    return [{ path: "kind", message: "the event bus of this server is off" }];
  },
  async compare(_, document, item) {
    const before = item && formOf(item.route);
    const after = formOf(document);
    return { before, after, isSame: jsonEqual(before, after) };
  },
  formOf: async (_, { route }) => formOf(route),
  async create(ctx, tx, document, { origin }) {
    const { id } = await createBusRouteIn(ctx, tx, document, origin);
    return id;
  },
  update: (ctx, tx, { route }, document, { origin }) =>
    updateBusRouteIn(ctx, tx, route, document, origin),
  delete: (ctx, tx, { route }, origin) => deleteBusRouteIn(ctx, tx, route, origin),
  warningsOf({ ctx, db }, document, id) {
    const now = ctx.core.now();
    const route = { ...document, id: id ?? "", version: 1, createdAt: now, updatedAt: now };
    return warningsOf(ctx, db, route);
  },
};

function formOf(rule: RouteRule): JsonObject {
  return JSON.parse(JSON.stringify(ruleOf(rule)));
}
