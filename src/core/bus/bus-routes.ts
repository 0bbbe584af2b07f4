// Routes of the bus. An update names the version of the route that it changes.

import { isDeepStrictEqual } from "node:util";
import type { BusRoute, RouteRule } from "../../domain/bus/bus-routes.ts";
import { declaredBy, declaredIn, type Origin, originFacts } from "../../domain/declarations.ts";
import { AppError, found } from "../../domain/errors.ts";
import { isoTime, isoTimes } from "../../lib/iso-time.ts";
import {
  type BusRouteFilter,
  deleteBusRoute as deleteStoredRoute,
  findBusRoute,
  insertBusRoute,
  listBusRoutes as listStoredRoutes,
  updateBusRoute as updateStoredRoute,
} from "../../store/bus/bus-routes.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";
import { warningsOf } from "./route-warnings.ts";

export async function listBusRoutes(ctx: Ctx, filter: BusRouteFilter) {
  const { items, total } = await listStoredRoutes(ctx.core.db.read, filter);
  return { items: items.map(toBusRouteView), total };
}

export async function getBusRoute(ctx: Ctx, id: string) {
  return toBusRouteView(await requireBusRoute(ctx.core.db.read, id));
}

/** Warnings do not prevent the route from being saved. */
export async function createBusRoute(ctx: Ctx, rule: RouteRule) {
  return ctx.core.db.write(async (tx) => {
    const route = await createBusRouteIn(ctx, tx, rule, null);
    const warnings = await warningsOf(ctx, tx, route);
    return rememberAnswer(ctx, tx, { ...toBusRouteView(route), warnings });
  });
}

export async function createBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  rule: RouteRule,
  origin: Origin | null,
): Promise<BusRoute> {
  const route: BusRoute = {
    ...ruleOf(rule),
    id: ctx.core.newId("brt"),
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await insertBusRoute(tx, route);
  const metadata = { ...ruleOf(route), ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.created", targetId: route.id, metadata });
  return route;
}

export async function updateBusRoute(ctx: Ctx, id: string, rule: RouteRule, version: number) {
  return ctx.core.db.write(async (tx) => {
    const before = await requireBusRoute(tx, id);
    if (before.version !== version) throw versionConflict(before, version);
    const route = await updateBusRouteIn(ctx, tx, before, rule, null);
    return { ...toBusRouteView(route), warnings: await warningsOf(ctx, tx, route) };
  });
}

/** Changes nothing if the route already has this content. */
export async function updateBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  before: BusRoute,
  rule: RouteRule,
  origin: Origin | null,
): Promise<BusRoute> {
  const declared = declaredBy(origin, before);
  const changes = changesOf(
    { ...ruleOf(before), declared: before.declared },
    { ...ruleOf(rule), declared: declared.declared },
  );
  if (Object.keys(changes).length === 0) return before;
  const version = before.version + 1;
  const route = { ...before, ...ruleOf(rule), ...declared, version, updatedAt: tx.now };
  await updateStoredRoute(tx, route);
  const metadata = { name: route.name, version, changes, ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.updated", targetId: route.id, metadata });
  return route;
}

/** The route's events and commands keep its name. */
export async function deleteBusRoute(ctx: Ctx, id: string) {
  await ctx.core.db.write(async (tx) => {
    await deleteBusRouteIn(ctx, tx, await requireBusRoute(tx, id), null);
  });
  return { id, deleted: true as const };
}

export async function deleteBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  route: BusRoute,
  origin: Origin | null,
): Promise<void> {
  await deleteStoredRoute(tx, route.id);
  const metadata = { ...ruleOf(route), version: route.version, ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.deleted", targetId: route.id, metadata });
}

export async function requireBusRoute(db: Reader, id: string): Promise<BusRoute> {
  return found(await findBusRoute(db, id), "BUS_ROUTE_NOT_FOUND", `route ${id}`);
}

export function ruleOf({ name, description, state, match, target, payload }: RouteRule): RouteRule {
  return { name, description, state, match, target, payload };
}

type DeclaredRule = RouteRule & Pick<BusRoute, "declared">;

function changesOf(before: DeclaredRule, after: DeclaredRule): Record<string, unknown> {
  const fields = Object.keys(after) as (keyof DeclaredRule)[];
  const changed = fields.filter((field) => !isSame(before[field], after[field]));
  return Object.fromEntries(
    changed.map((field) => [field, { from: before[field] ?? null, to: after[field] ?? null }]),
  );
}

/** Compares two values, ignoring the order of keys and undefined members. */
function isSame(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}

function versionConflict(route: BusRoute, version: number): AppError {
  return new AppError(
    "VERSION_CONFLICT",
    `The route ${route.name} has changed: the current version is ${route.version}, not ${version}.`,
    { details: { currentVersion: route.version, version, updatedAt: isoTime(route.updatedAt) } },
  );
}

function toBusRouteView({ declared, declaredFile, ...route }: BusRoute) {
  return {
    ...route,
    ...(declared === null ? {} : { declared }),
    declaredIn: declaredIn({ declared, declaredFile }),
    ...isoTimes(route, "createdAt", "updatedAt"),
  };
}
