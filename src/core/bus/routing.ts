// Routes an event in the transaction that stores it. (docs/decisions/0012-event-bus.md)

import type { BusEvent, StoredBusEvent } from "../../domain/bus/bus-events.ts";
import type { BusRoute } from "../../domain/bus/bus-routes.ts";
import { matchRoute } from "../../domain/bus/route-matching.ts";
import { shownByRoute } from "../../domain/bus/route-secrets.ts";
import { maxLiveMatches } from "../../domain/limits.ts";
import type { Tx } from "../../store/database.ts";
import { oncePerTx } from "../../store/once-per-tx.ts";
import { insertBusMatch } from "../../store/tables/bus/bus-events.ts";
import { listLiveBusRoutes } from "../../store/tables/bus/bus-routes.ts";
import { noBasis, requirePermit } from "../approvals/permits.ts";
import { audit } from "../audit/trail.ts";
import { createCommand } from "../commands/commands.ts";
import type { Ctx } from "../context.ts";
import { findTarget } from "../presence/action-targets.ts";
import { busTargetOf, type PlannedCommand, type RouteEffect, routeEffect } from "./route-effect.ts";

/** The routes are in the order in which they were created. */
export async function routeEvent(
  ctx: Ctx,
  tx: Tx,
  event: StoredBusEvent,
  routes: readonly BusRoute[],
): Promise<void> {
  // A route acts for the operator who enabled it, not for the publishing agent.
  const bus: Ctx = { ...ctx, principal: { kind: "system" }, ip: null, userAgent: null };
  for (const [at, route] of routes.entries()) {
    const effect =
      at < maxLiveMatches
        ? routeEffect(route, event.envelope, await busTargetOf(bus, tx, route))
        : tooMany;
    await insertBusMatch(tx, event.id, await carryOut(bus, tx, event, route, effect));
  }
}

/** The number of matches is limited, because a payload check blocks all other writes. */
const tooMany: RouteEffect = {
  outcome: "FAILED",
  reason: `The event matches more than ${maxLiveMatches} routes: the routes created later are skipped.`,
  command: null,
};

/** Read once per transaction, because no transaction that routes events changes routes. */
export const liveRoutes = oncePerTx(listLiveBusRoutes);

export function matchedRoutes(live: readonly BusRoute[], event: BusEvent): BusRoute[] {
  return live.filter((route) => matchRoute(route, event).matched);
}

async function carryOut(
  ctx: Ctx,
  tx: Tx,
  event: StoredBusEvent,
  route: BusRoute,
  effect: RouteEffect,
) {
  const { outcome, reason } = effect;
  const commandId =
    effect.outcome === "COMMAND_CREATED"
      ? await createFor(ctx, tx, event, route, effect.command)
      : null;
  const { serviceCode, action } = route.target;
  const message = reason ?? noteOf(event.id, commandId);
  await audit(ctx, tx, {
    action: `bus.route.${records[outcome].audited}`,
    targetId: route.id,
    result: outcome === "FAILED" ? "FAILURE" : "SUCCESS",
    message,
    metadata: {
      name: route.name,
      eventId: event.id,
      serviceCode,
      action,
      ...(commandId === null ? {} : { commandId }),
    },
  });
  const { counter } = records[outcome];
  if (counter) tx.afterCommit(() => ctx.core.counters.count(counter));
  return { routeId: route.id, routeName: route.name, outcome, commandId, reason };
}

function noteOf(eventId: string, commandId: string | null): string {
  return commandId === null
    ? `The event ${eventId} would have become a command.`
    : `The event ${eventId} became the command ${commandId}.`;
}

const records = {
  COMMAND_CREATED: { audited: "matched", counter: "busCommandsCreated" },
  DRY_RUN: { audited: "dry_run", counter: null },
  FAILED: { audited: "failed", counter: "busRoutesFailed" },
} as const;

async function createFor(
  ctx: Ctx,
  tx: Tx,
  event: StoredBusEvent,
  route: BusRoute,
  planned: PlannedCommand,
): Promise<string> {
  const target = await findTarget(tx, planned.serviceId, planned.action);
  const { id } = await createCommand(ctx, tx, {
    ...planned,
    permit: await requirePermit(tx, target, noBasis, "The bus cannot ask for it."),
    schema: target.action.inputSchema,
    shown: shownByRoute(route, event.envelope),
    reason: null,
    source: { kind: "bus", id: event.id, name: route.name, routeId: route.id },
    prepareCommandId: null,
    retryOf: null,
    ttlSeconds: ctx.core.settings.commandTtlSeconds,
  });
  return id;
}
