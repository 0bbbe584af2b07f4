// Events of the bus: agents and operators publish them, and operators list and read them.

import type { z } from "zod";
import type { busEvents } from "../../api/bus/bus-events.ts";
import type { AgentPrincipal } from "../../domain/access/principals.ts";
import type {
  ListedBusEvent,
  ListedBusMatch,
  SentEvent,
  StoredBusEvent,
} from "../../domain/bus/bus-events.ts";
import { found } from "../../domain/errors.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Reader } from "../../store/database.ts";
import {
  type BusEventFilter,
  findBusEvent,
  listBusMatches,
  listBusEvents as listStoredEvents,
} from "../../store/tables/bus/bus-events.ts";
import { boundedPage } from "../bounded-pages.ts";
import { bulkReader, type Ctx } from "../context.ts";
import { type HandlersOf, Reply } from "../handlers.ts";
import { rememberAnswer } from "../idempotency-keys.ts";
import { takeEvent } from "./intake.ts";

export const handlers: HandlersOf<typeof busEvents> = {
  "bus-events.list": (ctx, { query }) => listBusEvents(ctx, query),
  "bus-events.get": (ctx, { params }) => getBusEvent(ctx, params.eventId),
  "bus-events.publish": async (ctx, { body }) => takenAnswer(await publishAsOperator(ctx, body)),
};

type BusEventSummary = z.output<(typeof busEvents)["bus-events.list"]["reply"]>[number];
type BusEventDetail = z.output<(typeof busEvents)["bus-events.get"]["reply"]>;

/** The agent's receipt does not reveal how the event was routed. */
export async function publishAsAgent(ctx: Ctx, agent: AgentPrincipal, sent: SentEvent) {
  const { event, duplicate } = await takeEvent(ctx, sent, agent, (tx, stored) =>
    rememberAnswer(ctx, tx, receiptOf(stored, false)),
  );
  return receiptOf(event, duplicate);
}

function receiptOf({ id, envelope, depth, receivedAt }: StoredBusEvent, duplicate: boolean) {
  return { id, sourceEventId: envelope.id, depth, receivedAt: isoTime(receivedAt), duplicate };
}

/** Publishes on behalf of the agent that owns the service. */
async function publishAsOperator(ctx: Ctx, sent: SentEvent) {
  const { event, duplicate } = await takeEvent(ctx, sent, null, async (tx, stored) => {
    if (!ctx.keyed) return;
    await rememberAnswer(ctx, tx, { ...(await describe(tx, stored)), duplicate: false });
  });
  return { ...(await describe(ctx.core.db.read, event)), duplicate };
}

export async function listBusEvents(ctx: Ctx, filter: BusEventFilter) {
  const read = bulkReader(ctx);
  const { items, ...extent } = await listStoredEvents(read, filter);
  const views: BusEventSummary[] = [];
  for (const event of items) views.push(toSummary(event, await listBusMatches(read, event.id)));
  return boundedPage(views, extent);
}

async function getBusEvent(ctx: Ctx, id: string): Promise<BusEventDetail> {
  const { read } = ctx.core.db;
  return describe(read, await requireBusEvent(read, id));
}

export async function requireBusEvent(db: Reader, id: string): Promise<StoredBusEvent> {
  return found(await findBusEvent(db, id), "BUS_EVENT_NOT_FOUND", `event ${id}`);
}

async function describe(db: Reader, event: StoredBusEvent): Promise<BusEventDetail> {
  const matches = await listBusMatches(db, event.id);
  return { ...toSummary(asListed(event), matches), event: event.envelope };
}

function asListed({ envelope, ...event }: StoredBusEvent): ListedBusEvent {
  return {
    ...event,
    type: envelope.type,
    source: envelope.source,
    sourceEventId: envelope.id,
    subject: envelope.subject ?? null,
    causationId: envelope.causationid ?? null,
    correlationId: envelope.correlationid ?? null,
  };
}

function toSummary(event: ListedBusEvent, matches: ListedBusMatch[]): BusEventSummary {
  return { ...event, receivedAt: isoTime(event.receivedAt), routes: matches.map(toMatchView) };
}

function toMatchView(match: ListedBusMatch): BusEventSummary["routes"][number] {
  const { routeId, routeName, routeDeleted, outcome, commandId, commandStatus, reason } = match;
  return {
    routeId,
    ...(routeName === null ? {} : { routeName }),
    ...(routeDeleted ? { routeDeleted } : {}),
    outcome,
    ...(commandId === null ? {} : { commandId }),
    ...(commandStatus === null ? {} : { commandStatus }),
    ...(reason === null ? {} : { reason }),
  };
}

/** The status for a duplicate is 200, because nothing was created. */
export function takenAnswer<T extends { duplicate: boolean }>(taken: T): Reply<T> {
  return new Reply(taken, taken.duplicate ? { status: 200 } : {});
}
