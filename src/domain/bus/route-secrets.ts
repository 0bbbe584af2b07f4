// The secrets among the constants of a route. They are stored separately, like those of a schedule.
// (docs/decisions/0011-secrets.md)

import { sameJson } from "../../lib/json/json-equal.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import { joined, keptSecrets, redactedPlaces } from "../secrets/kept-secrets.ts";
import {
  type PayloadParts,
  type Shown,
  type Withhold,
  wholePayload,
} from "../secrets/payload-secrets.ts";
import type { BusEvent } from "./bus-events.ts";
import { type BusRoute, mapPayload, type RouteRule } from "./bus-routes.ts";

export type RouteParts = Pick<BusRoute, "payload" | "withheld" | "secrets">;

/** `withheld` has JSON Pointers into the route: `/payload/password/const`. */
function withholdRoute(payload: RouteRule["payload"], withhold: Withhold): RouteParts {
  const parts: RouteParts = { payload: structuredClone(payload), withheld: [], secrets: [] };
  const [found] = withhold([constantsOf(payload)]) as [PayloadParts];
  for (const [field, constant] of Object.entries(found.payload)) {
    if (parts.payload) parts.payload[field] = { const: constant };
  }
  parts.withheld = found.withheld.map(inRoute);
  parts.secrets = found.secrets;
  return parts;
}

/** Also withholds what was not known to be secret when the parts were stored. */
export function withholdMoreOfRoute(parts: RouteParts, withhold: Withhold): RouteParts {
  return toRoute(joined(toPayload(withholdRoute(parts.payload, withhold)), parts));
}

/** Puts the stored secrets back into the route. */
export function wholeRoute<R extends Pick<RouteRule, "payload"> & Partial<RouteParts>>(
  route: R,
): R {
  const { payload, withheld = [], secrets = [] } = route;
  return { ...route, ...pick(wholePayload(toPayload({ payload, withheld, secrets }))) };
}

export interface RouteEdit extends RouteParts {
  /** Whether the edit contains secrets that are not stored yet. */
  gives: boolean;
}

/**
 * Splits an edited rule into what is shown and its secrets. If the match, the target and the
 * payload are unchanged, all stored secrets are kept. Otherwise, `[REDACTED]` keeps a stored secret
 * only if the caller (`giver`) gave it, the target is the same, and the service has not passed to
 * another agent since the secrets were given (`isElsewhere`).
 */
export function editRoute(
  rule: RouteRule,
  before: BusRoute | null,
  withhold: Withhold,
  giver: string,
  isElsewhere = false,
): RouteEdit {
  if (before !== null && sameJson(effectOf(rule), effectOf(before))) {
    const { payload, withheld, secrets } = before;
    return { payload, withheld, secrets, gives: false };
  }
  const fresh = withholdRoute(rule.payload, withhold);
  const isGiver = before?.secretsGiven?.by === giver;
  const mayKeep = isGiver && !isElsewhere && sameJson(rule.target, before.target);
  const kept = mayKeep
    ? keptSecrets(toPayload({ ...rule, withheld: [], secrets: [] }).payload, toPayload(before))
    : { withheld: [], secrets: [] };
  return { ...toRoute(joined(toPayload(fresh), kept)), gives: fresh.withheld.length > 0 };
}

/**
 * Whether the service now belongs to an agent other than the one for which the secrets were given.
 */
export function isForOtherAgent(
  { secretsGiven }: Partial<Pick<BusRoute, "secretsGiven">>,
  service: { agentId: string } | null,
): boolean {
  const agentId = secretsGiven?.agentId;
  return agentId !== undefined && service !== null && service.agentId !== agentId;
}

/** Returns JSON Pointers to the secrets that must still be given. */
export function missingRouteSecrets(parts: RouteParts): string[] {
  return redactedPlaces(constantsOf(wholeRoute(parts).payload)).map(inRoute);
}

/** The parts of a route that decide where its secrets are sent, and with which other values. */
function effectOf({ match, target, payload }: RouteRule) {
  return { match, target, payload };
}

function constantsOf(payload: RouteRule["payload"]): JsonObject {
  return Object.fromEntries(
    Object.entries(payload ?? {}).flatMap(([field, from]): [string, Json][] =>
      typeof from === "string" ? [] : [[field, from.const]],
    ),
  );
}

/** `/password` becomes `/payload/password/const`. */
function inRoute(pointer: string): string {
  return pointer.replace(/^\/[^/]*/, (field) => `/payload${field}/const`);
}

/** Returns the payload that the route makes from the event, without the route's secrets. */
export function shownByRoute(route: RouteParts, event: BusEvent): Shown | undefined {
  if (route.withheld.length === 0) return undefined;
  const mapped = mapPayload(route, event);
  return {
    payload: "payload" in mapped ? mapped.payload : {},
    withheld: route.withheld.map((pointer) => pointer.replace(/^\/payload(\/[^/]*)\/const/, "$1")),
  };
}

function toPayload({ payload, withheld, secrets }: RouteParts): PayloadParts {
  return { payload: { payload: (payload ?? null) as Json }, withheld, secrets };
}

function toRoute({ payload, withheld, secrets }: PayloadParts): RouteParts {
  return { ...pick(payload), withheld, secrets };
}

function pick({ payload }: JsonObject): Pick<RouteRule, "payload"> {
  return { payload: (payload ?? undefined) as RouteRule["payload"] };
}
