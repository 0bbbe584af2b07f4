import type { BusRoute, RouteRule } from "../../../domain/bus/bus-routes.ts";
import type { RouteEdit } from "../../../domain/bus/route-secrets.ts";
import { declaredBy } from "../../../domain/declarations.ts";
import { AppError } from "../../../domain/errors.ts";
import { maxBusRoutes } from "../../../domain/limits.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { jsonEqual } from "../../../lib/json/json-equal.ts";
import { busRouteRows, listAllBusRoutes } from "../../../store/tables/bus/bus-routes.ts";
import {
  asShown,
  createBusRouteIn,
  deleteBusRouteIn,
  type ExaminedRoute,
  editOf,
  examineRoute,
  requireSecrets,
  ruleOf,
  updateBusRouteIn,
} from "../../bus/bus-routes.ts";
import { warningsOf } from "../../bus/route-warnings.ts";
import type { Lookups } from "../../lookups.ts";
import { type DocumentOf, type Kind, type StoredRow, storedOf } from "../kind.ts";

type StoredRoute = StoredRow & { route: BusRoute };

export const busRouteKind: Kind<DocumentOf<"BusRoute">, StoredRoute, ExaminedRoute> = {
  owned: true,
  most: maxBusRoutes,
  nameOf: ({ name }) => name,
  async list(_, db) {
    const routes = await listAllBusRoutes(db);
    return routes.map((route) => ({ ...storedOf(route), route }));
  },
  async issuesOf(lookups, document, item) {
    if (!lookups.ctx.core.settings.busEnabled) {
      const message =
        "the event bus of this server is off; PLATFORM_CAPSULE_BUS_ENABLED=true enables it";
      return [{ path: "kind", message }];
    }
    try {
      requireSecrets(await editFrom(lookups, document, item));
      return [];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "PAYLOAD_NEEDS_SECRETS") throw error;
      return [{ path: "payload", message: error.message }];
    }
  },
  async compare(lookups, document, item) {
    const edit = await editFrom(lookups, document, item);
    const before = item && (await formOfStored(lookups, item));
    const after = formOf({ ...document, payload: edit.payload });
    const given = edit.gives
      ? { secrets: edit.secrets, replaced: item?.route.secretsGiven ?? null }
      : null;
    return { before, after, isSame: jsonEqual(before, after) && given === null, given };
  },
  formOf: formOfStored,
  factsOf: (lookups, document, item) => examineRoute(lookups, document, item?.route ?? null),
  async create(ctx, tx, document, { facts, origin }) {
    return (await createBusRouteIn(ctx, tx, document, facts, origin)).id;
  },
  update: (ctx, tx, { route }, document, { facts, origin }) =>
    updateBusRouteIn(ctx, tx, route, document, facts, origin),
  noteFile: (tx, { id }, _, { file }) => busRouteRows.setFile(tx, id, file),
  factsOfDeleted: (lookups, { route }) => examineRoute(lookups, route, route),
  delete: (ctx, tx, { route }, { facts, origin }) =>
    deleteBusRouteIn(ctx, tx, route, facts.trail.before, origin),
  warningsOf({ ctx, db }, document, id) {
    const now = ctx.core.now();
    const secrets = { withheld: [], secrets: [], secretsGiven: null };
    const times = { version: 1, createdAt: now, updatedAt: now };
    const route = { ...document, ...secrets, ...declaredBy(null), ...times };
    return warningsOf(ctx, db, { ...route, id: id ?? "" });
  },
};

async function editFrom(
  lookups: Lookups,
  document: DocumentOf<"BusRoute">,
  item: StoredRoute | null,
): Promise<RouteEdit> {
  return editOf(lookups, document, item && (await asShown(lookups, item.route)));
}

async function formOfStored(lookups: Lookups, { route }: StoredRoute): Promise<JsonObject> {
  return formOf(await asShown(lookups, route));
}

function formOf(rule: RouteRule): JsonObject {
  return JSON.parse(JSON.stringify(ruleOf(rule)));
}
