import type { BusRoute, RouteRule } from "../../../domain/bus/bus-routes.ts";
import { declaredBy } from "../../../domain/declarations.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { listAllBusRoutes, setBusRouteFile } from "../../../store/bus/bus-routes.ts";
import {
  createBusRouteIn,
  deleteBusRouteIn,
  ruleOf,
  updateBusRouteIn,
} from "../../bus/bus-routes.ts";
import { warningsOf } from "../../bus/route-warnings.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";

type StoredRoute = StoredRow & { route: BusRoute };

export const busRouteKind: Kind<DocumentOf<"BusRoute">, StoredRoute> = {
  owned: true,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const routes = await listAllBusRoutes(db);
    return routes.map((route) => ({ ...storedOf(route), route }));
  },
  async issuesOf({ core }) {
    if (core.settings.busEnabled) return [];
    return [{ path: "kind", message: "the event bus of this server is off" }];
  },
  async compare(_ctx, _db, document, item) {
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
  noteFile: (tx, { id }, _, { file }) => setBusRouteFile(tx, { id, declaredFile: file }),
  delete: (ctx, tx, { route }, origin) => deleteBusRouteIn(ctx, tx, route, origin),
  warningsOf(ctx, db, document, id) {
    const now = ctx.core.now();
    const times = { version: 1, createdAt: now, updatedAt: now };
    return warningsOf(ctx, db, { ...document, ...declaredBy(null), ...times, id: id ?? "" });
  },
};

function formOf(rule: RouteRule): JsonObject {
  return JSON.parse(JSON.stringify(ruleOf(rule)));
}
