// Tests a route on an event without writing anything.

import type { busRoutes } from "../../api/bus/bus-routes.ts";
import { type BusEvent, receivedEvent } from "../../domain/bus/bus-events.ts";
import { matchRoute } from "../../domain/bus/route-matching.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Ctx } from "../context.ts";
import type { Body } from "../handlers.ts";
import { requireBusEvent } from "./bus-events.ts";
import { requireShownRoute } from "./bus-routes.ts";
import { busTargetOf, type Rule, routeEffect, shownPayload } from "./route-effect.ts";

/** A new event, or the id of a stored event. */
type TestedEvent = Body<typeof busRoutes, "bus-routes.test">;

export async function testBusRoute(ctx: Ctx, id: string, tested: TestedEvent) {
  return testRule(ctx, await requireShownRoute(ctx.core.db.read, id), tested);
}

/** The secrets of the command are not shown. */
export async function testRule(ctx: Ctx, rule: Rule, tested: TestedEvent) {
  const event = await eventOf(ctx, tested);
  const { matched, clauses } = matchRoute(rule, event);
  if (!matched) return { matched, clauses, outcome: null, reason: null, command: null, event };
  const target = await busTargetOf(ctx, ctx.core.db.read, rule);
  const { command, ...effect } = routeEffect(rule, event, target);
  const shown = command && { ...command, payload: shownPayload(rule, event, target) };
  return { matched, clauses, ...effect, command: shown, event };
}

async function eventOf({ core }: Ctx, { event, eventId }: TestedEvent): Promise<BusEvent> {
  if (event) return receivedEvent(event, { id: core.newId("bev"), time: isoTime(core.now()) });
  return (await requireBusEvent(core.db.read, eventId ?? "")).envelope;
}
