// Routes of the bus. An update names the version of the route that it changes.

import type { BusRoute, RouteRule, RouteSecretsGiven } from "../../domain/bus/bus-routes.ts";
import {
  editRoute,
  isForOtherAgent,
  missingRouteSecrets,
  type RouteEdit,
  type RouteParts,
  withholdMoreOfRoute,
} from "../../domain/bus/route-secrets.ts";
import { declaredBy, declaredIn, type Origin, originFacts } from "../../domain/declarations.ts";
import { AppError, found } from "../../domain/errors.ts";
import type { Service } from "../../domain/services.ts";
import { isoTime, isoTimes } from "../../lib/iso-time.ts";
import { sameJson } from "../../lib/json/json-equal.ts";
import {
  type BusRouteFilter,
  deleteBusRoute as deleteStoredRoute,
  findBusRoute,
  insertBusRoute,
  listBusRoutes as listStoredRoutes,
  updateBusRoute as updateStoredRoute,
} from "../../store/bus/bus-routes.ts";
import type { Reader, Tx } from "../../store/database.ts";
import { findServiceByCode } from "../../store/tables/services.ts";
import {
  givenAfter,
  giverOf,
  requireGiven,
  trailWithholderOf,
  withholderOf,
} from "../access/secret-givers.ts";
import { audit } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { rememberAnswer } from "../system/idempotency-keys.ts";
import { warningsOf } from "./route-warnings.ts";

export async function listBusRoutes(ctx: Ctx, filter: BusRouteFilter) {
  const { read } = ctx.core.db;
  const { items, total } = await listStoredRoutes(read, filter);
  return { items: (await asShown(read, items)).map(toBusRouteView), total };
}

export async function getBusRoute(ctx: Ctx, id: string) {
  const { read } = ctx.core.db;
  return shownView(read, await requireBusRoute(read, id));
}

/** Warnings do not prevent the route from being saved. */
export async function createBusRoute(ctx: Ctx, rule: RouteRule) {
  return ctx.core.db.write(async (tx) => {
    const route = await createBusRouteIn(ctx, tx, rule, null);
    const warnings = await warningsOf(ctx, tx, route);
    return rememberAnswer(ctx, tx, { ...(await shownView(tx, route)), warnings });
  });
}

export async function createBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  rule: RouteRule,
  origin: Origin | null,
): Promise<BusRoute> {
  const { gives, ...parts } = await editOf(ctx, tx, rule, null);
  requireSecrets(parts);
  const now = await givenNow(ctx, tx, rule, 1);
  const route: BusRoute = {
    ...ruleOf(rule),
    ...parts,
    secretsGiven: givenAfter({ ...parts, gives }, null, now),
    id: ctx.core.newId("brt"),
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await insertBusRoute(tx, route);
  const metadata = { ...(await auditedRule(tx, route)), ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.created", targetId: route.id, metadata });
  return route;
}

export async function updateBusRoute(ctx: Ctx, id: string, rule: RouteRule, version: number) {
  return ctx.core.db.write(async (tx) => {
    const before = await requireBusRoute(tx, id);
    if (before.version !== version) throw versionConflict(before, version);
    const route = await updateBusRouteIn(ctx, tx, before, rule, null);
    const warnings = await warningsOf(ctx, tx, route);
    return { ...(await shownView(tx, route)), warnings };
  });
}

/**
 * Changes nothing if the route already has this content. `[REDACTED]` in place of a stored secret keeps
 * it for whoever gave it (`editRoute`). A literal secret is always a change. Throws
 * PAYLOAD_NEEDS_SECRETS.
 */
export async function updateBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  stored: BusRoute,
  rule: RouteRule,
  origin: Origin | null,
): Promise<BusRoute> {
  const [before = stored] = await asShown(tx, [stored]);
  const { gives, ...parts } = await editOf(ctx, tx, rule, before);
  const declared = declaredBy(origin, before);
  const changed = changedFields(before, {
    ...ruleOf(rule),
    payload: parts.payload,
    declared: declared.declared,
  });
  if (changed.length === 0 && !gives) return before;
  requireSecrets(parts);
  const version = before.version + 1;
  const now = await givenNow(ctx, tx, rule, version);
  const secretsGiven = givenAfter({ ...parts, gives }, before, now);
  const route = {
    ...before,
    ...ruleOf(rule),
    ...parts,
    ...declared,
    ...{ secretsGiven, version, updatedAt: tx.now },
  };
  await updateStoredRoute(tx, route);
  const changes = await changesOf(tx, changed, before, route);
  const secrets = gives ? { secrets: "changed" } : {};
  const facts = { name: route.name, version, changes: { ...changes, ...secrets } };
  const metadata = { ...facts, ...originFacts(origin) };
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
  const metadata = {
    ...(await auditedRule(tx, route)),
    version: route.version,
    ...originFacts(origin),
  };
  await audit(ctx, tx, { action: "bus.route.deleted", targetId: route.id, metadata });
}

export async function requireBusRoute(db: Reader, id: string): Promise<BusRoute> {
  return found(await findBusRoute(db, id), "BUS_ROUTE_NOT_FOUND", `route ${id}`);
}

export async function editOf(
  ctx: Ctx,
  db: Reader,
  rule: RouteRule,
  before: BusRoute | null,
): Promise<RouteEdit> {
  const withhold = await withholderOf(db, rule.target.action);
  const isElsewhere = before !== null && isForOtherAgent(before, await serviceOf(db, before));
  return editRoute(rule, before, withhold, await giverOf(ctx, db), isElsewhere);
}

async function givenNow(
  ctx: Ctx,
  db: Reader,
  rule: RouteRule,
  version: number,
): Promise<RouteSecretsGiven> {
  const service = await serviceOf(db, rule);
  return { by: await giverOf(ctx, db), version, agentId: service?.agentId };
}

function serviceOf(db: Reader, { target }: RouteRule): Promise<Service | null> {
  return findServiceByCode(db, target.serviceCode);
}

export function requireSecrets(parts: RouteParts): void {
  requireGiven(missingRouteSecrets(parts));
}

/** Also withholds what was not known to be secret when the routes were saved. */
export async function asShown(db: Reader, routes: readonly BusRoute[]): Promise<BusRoute[]> {
  const byAction = new Map<string, Awaited<ReturnType<typeof withholderOf>>>();
  const shown: BusRoute[] = [];
  for (const route of routes) {
    const { action } = route.target;
    const withhold = byAction.get(action) ?? (await withholderOf(db, action));
    byAction.set(action, withhold);
    shown.push({ ...route, ...withholdMoreOfRoute(route, withhold) });
  }
  return shown;
}

export function ruleOf({ name, description, state, match, target, payload }: RouteRule): RouteRule {
  return { name, description, state, match, target, payload };
}

type DeclaredRule = RouteRule & Pick<BusRoute, "declared">;

function changedFields(before: BusRoute, after: DeclaredRule): (keyof DeclaredRule)[] {
  const fields = Object.keys(after) as (keyof DeclaredRule)[];
  return fields.filter((field) => !sameJson(before[field], after[field]));
}

async function changesOf(
  tx: Tx,
  changed: readonly (keyof DeclaredRule)[],
  before: BusRoute,
  after: BusRoute,
): Promise<Record<string, unknown>> {
  const { declared } = before;
  const from: DeclaredRule = { ...(await auditedRule(tx, before)), declared };
  const to: DeclaredRule = { ...(await auditedRule(tx, after)), declared: after.declared };
  return Object.fromEntries(
    changed.map((field) => [field, { from: from[field] ?? null, to: to[field] ?? null }]),
  );
}

async function auditedRule(tx: Tx, route: BusRoute): Promise<RouteRule> {
  const { payload } = withholdMoreOfRoute(route, await trailWithholderOf(tx, route.target.action));
  return { ...ruleOf(route), payload };
}

function versionConflict(route: BusRoute, version: number): AppError {
  return new AppError(
    "VERSION_CONFLICT",
    `The route ${route.name} has changed: the current version is ${route.version}, not ${version}.`,
    { details: { currentVersion: route.version, version, updatedAt: isoTime(route.updatedAt) } },
  );
}

async function shownView(db: Reader, route: BusRoute) {
  const [shown = route] = await asShown(db, [route]);
  return toBusRouteView(shown);
}

/** `route` is as it is shown. */
function toBusRouteView({
  secrets: _,
  secretsGiven: __,
  declared,
  declaredFile,
  ...route
}: BusRoute) {
  return {
    ...route,
    ...(declared === null ? {} : { declared }),
    declaredIn: declaredIn({ declared, declaredFile }),
    ...isoTimes(route, "createdAt", "updatedAt"),
  };
}
