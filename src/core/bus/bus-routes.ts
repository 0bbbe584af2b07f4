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
import { found, requireRoom, requireSameVersion } from "../../domain/errors.ts";
import type { Service } from "../../domain/fleet/services.ts";
import { maxBusRoutes } from "../../domain/limits.ts";
import { isoTimes } from "../../lib/iso-time.ts";
import type { Reader, Tx } from "../../store/database.ts";
import {
  type BusRouteFilter,
  busRouteRows,
  countBusRoutes,
  findBusRoute,
  listBusRoutes as listStoredRoutes,
} from "../../store/tables/bus/bus-routes.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import {
  givenAfter,
  giverOf,
  requireGiven,
  trailWithholderOf,
  withholderOf,
} from "../access/secret-givers.ts";
import { audit, changedFields, changesOf } from "../audit/trail.ts";
import type { Ctx } from "../context.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { type Lookups, lookupsOf, type Reading, readingFrom } from "../lookups.ts";
import { warningsOf } from "./route-warnings.ts";

export async function listBusRoutes(ctx: Ctx, filter: BusRouteFilter) {
  const { read } = ctx.core.db;
  const { items, total } = await listStoredRoutes(read, filter);
  const reading = readingFrom(read);
  const shown = await Promise.all(items.map((route) => asShown(reading, route)));
  return { items: shown.map(toBusRouteView), total };
}

export async function getBusRoute(ctx: Ctx, id: string) {
  return toBusRouteView(await requireShownRoute(ctx.core.db.read, id));
}

/** Warnings do not prevent the route from being saved. */
export async function createBusRoute(ctx: Ctx, rule: RouteRule) {
  const examined = await examineRoute(lookupsOf(ctx), rule, null);
  return ctx.core.db.write(async (tx) => {
    requireRoom(await countBusRoutes(tx), maxBusRoutes, "routes", "delete one first");
    const route = await createBusRouteIn(ctx, tx, rule, examined, null);
    const warnings = await warningsOf(ctx, tx, route);
    return rememberAnswer(ctx, tx, { ...toBusRouteView(route), warnings });
  });
}

/** What `examineRoute` finds before the transaction that saves a route. */
export interface ExaminedRoute {
  /** The stored route, without the values that are now known to be secret; null for a new route. */
  shown: RouteParts | null;
  edit: RouteEdit;
  /** Who gives the secrets in the route, and for which agent. */
  giving: Omit<RouteSecretsGiven, "version">;
  /** The payloads as the audit trail shows them. */
  trail: { before: RouteRule["payload"]; after: RouteRule["payload"] };
}

/** Must not be awaited in a transaction, because the schemas of an action can be large. */
export async function examineRoute(
  lookups: Lookups,
  rule: RouteRule,
  stored: BusRoute | null,
): Promise<ExaminedRoute> {
  const before = stored && (await asShown(lookups, stored));
  const edit = await editOf(lookups, rule, before);
  const service = await serviceOf(lookups.db, rule);
  return {
    shown: before && partsOf(before),
    edit,
    giving: { by: await giverOf(lookups), agentId: service?.agentId },
    trail: {
      before: before ? await payloadInTrail(lookups, before) : undefined,
      after: await payloadInTrail(lookups, { ...edit, target: rule.target }),
    },
  };
}

function partsOf({ payload, withheld, secrets }: RouteParts): RouteParts {
  return { payload, withheld, secrets };
}

/** Throws PAYLOAD_NEEDS_SECRETS. */
export async function createBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  rule: RouteRule,
  { edit, giving, trail }: ExaminedRoute,
  origin: Origin | null,
): Promise<BusRoute> {
  requireSecrets(edit);
  const route: BusRoute = {
    ...ruleOf(rule),
    ...partsOf(edit),
    secretsGiven: givenAfter(edit, null, { ...giving, version: 1 }),
    id: ctx.core.newId("brt"),
    ...declaredBy(origin),
    version: 1,
    createdAt: tx.now,
    updatedAt: tx.now,
  };
  await busRouteRows.insert(tx, route);
  const metadata = { ...ruleOf({ ...route, payload: trail.after }), ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.created", targetId: route.id, metadata });
  return route;
}

export async function updateBusRoute(ctx: Ctx, id: string, rule: RouteRule, version: number) {
  const { db } = ctx.core;
  const seen = await requireVersion(db.read, id, version);
  const examined = await examineRoute(lookupsOf(ctx), rule, seen);
  return db.write(async (tx) => {
    const before = await requireVersion(tx, id, version);
    const route = await updateBusRouteIn(ctx, tx, before, rule, examined, null);
    const warnings = await warningsOf(ctx, tx, route);
    return { ...toBusRouteView(route), warnings };
  });
}

/**
 * Changes nothing if the route already has this content. Giving a secret always counts as a change.
 * `editRoute` decides which secrets `[REDACTED]` keeps. The caller has checked that `stored` is the
 * version that was examined. Throws PAYLOAD_NEEDS_SECRETS.
 */
export async function updateBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  stored: BusRoute,
  rule: RouteRule,
  { shown, edit, giving, trail }: ExaminedRoute,
  origin: Origin | null,
): Promise<BusRoute> {
  const before = { ...stored, ...shown };
  const declared = declaredBy(origin, before);
  const wanted = { ...ruleOf(rule), payload: edit.payload, declared: declared.declared };
  const changed = changedFields(Object.keys(wanted) as (keyof typeof wanted)[], before, wanted);
  if (changed.length === 0 && !edit.gives) return before;
  requireSecrets(edit);
  const version = before.version + 1;
  const secretsGiven = givenAfter(edit, before, { ...giving, version });
  const route = {
    ...before,
    ...ruleOf(rule),
    ...partsOf(edit),
    ...declared,
    secretsGiven,
    version,
    updatedAt: tx.now,
  };
  await busRouteRows.update(tx, route);
  const from = { ...before, payload: trail.before };
  const changes = changesOf(changed, from, { ...route, payload: trail.after });
  const secrets = edit.gives ? { secrets: "changed" } : {};
  const facts = { name: route.name, version, changes: { ...changes, ...secrets } };
  const metadata = { ...facts, ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.updated", targetId: route.id, metadata });
  return route;
}

/** The route's events and commands keep its name. */
export async function deleteBusRoute(ctx: Ctx, id: string) {
  const { db } = ctx.core;
  const seen = await requireBusRoute(db.read, id);
  const payload = await payloadInTrail(readingFrom(db.read), seen);
  await db.write(async (tx) => {
    const route = await requireBusRoute(tx, id);
    const isSame = route.version === seen.version;
    const shown = isSame ? payload : await payloadInTrail(readingFrom(tx), route);
    await deleteBusRouteIn(ctx, tx, route, shown, null);
  });
  return { id, deleted: true as const };
}

/** `payload` is the route's payload as the audit trail shows it. */
export async function deleteBusRouteIn(
  ctx: Ctx,
  tx: Tx,
  route: BusRoute,
  payload: RouteRule["payload"],
  origin: Origin | null,
): Promise<void> {
  await busRouteRows.delete(tx, route.id);
  const { version } = route;
  const metadata = { ...ruleOf({ ...route, payload }), version, ...originFacts(origin) };
  await audit(ctx, tx, { action: "bus.route.deleted", targetId: route.id, metadata });
}

async function requireBusRoute(db: Reader, id: string): Promise<BusRoute> {
  return found(await findBusRoute(db, id), "BUS_ROUTE_NOT_FOUND", `route ${id}`);
}

export async function requireShownRoute(db: Reader, id: string): Promise<BusRoute> {
  return asShown(readingFrom(db), await requireBusRoute(db, id));
}

async function requireVersion(db: Reader, id: string, version: number): Promise<BusRoute> {
  const route = await requireBusRoute(db, id);
  requireSameVersion(route, version, `route ${route.name}`);
  return route;
}

/**
 * Separates the secrets from the payload of a rule, and keeps those of `before` that the caller may
 * keep. `before` comes from `asShown`.
 */
export async function editOf(
  lookups: Lookups,
  rule: RouteRule,
  before: BusRoute | null,
): Promise<RouteEdit> {
  const withhold = await withholderOf(lookups, rule.target.action);
  const isElsewhere =
    before !== null && isForOtherAgent(before, await serviceOf(lookups.db, before));
  return editRoute(rule, before, withhold, await giverOf(lookups), isElsewhere);
}

function serviceOf(db: Reader, { target }: RouteRule): Promise<Service | null> {
  return findServiceByCode(db, target.serviceCode);
}

export function requireSecrets(parts: RouteParts): void {
  requireGiven(missingRouteSecrets(parts));
}

/** Also withholds what was not known to be secret when the route was saved. */
export async function asShown(reading: Reading, route: BusRoute): Promise<BusRoute> {
  const withhold = await withholderOf(reading, route.target.action);
  return { ...route, ...withholdMoreOfRoute(route, withhold) };
}

/** Returns a route's payload as the audit trail shows it. */
async function payloadInTrail(
  reading: Reading,
  { target, ...parts }: RouteParts & Pick<RouteRule, "target">,
): Promise<RouteRule["payload"]> {
  return withholdMoreOfRoute(parts, await trailWithholderOf(reading, target.action)).payload;
}

export function ruleOf({ name, description, state, match, target, payload }: RouteRule): RouteRule {
  return { name, description, state, match, target, payload };
}

/** `route` comes from `asShown`. */
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
