// Accepts, stores and routes an event in one transaction. (docs/decisions/0012-event-bus.md)

import type { AgentPrincipal } from "../../domain/access/principals.ts";
import {
  type BusEvent,
  depthAfter,
  maxEventDepth,
  receivedEvent,
  type SentEvent,
  type StoredBusEvent,
} from "../../domain/bus/bus-events.ts";
import type { BusRoute } from "../../domain/bus/bus-routes.ts";
import { AppError } from "../../domain/errors.ts";
import type { Service } from "../../domain/fleet/services.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import {
  findCauseDepth,
  findPublishedEvent,
  insertBusEvents,
} from "../../store/tables/bus/bus-events.ts";
import { findServiceByCode } from "../../store/tables/fleet/services.ts";
import { recheckAgent } from "../access/credentials.ts";
import { auditRepeated, noteRepeated } from "../audit/repeated-events.ts";
import { audit, auditAll } from "../audit/trail.ts";
import { readThenWrite } from "../batches.ts";
import type { Ctx } from "../context.ts";
import type { CounterName } from "../presence/counters.ts";
import type { Reservation } from "./rate-limit.ts";
import { liveRoutes, matchedRoutes, routeEvent } from "./routing.ts";

interface Taken {
  event: StoredBusEvent;
  /** Whether the event was already known, so that nothing was stored or routed. */
  duplicate: boolean;
}

type Verdict = Taken | { refusal: AppError };

/**
 * If `agent` is null, an operator published the event. An event with a known source and id is a
 * duplicate, whatever its content. `onStored` runs in the transaction, but not for duplicates.
 */
export async function takeEvent(
  ctx: Ctx,
  sent: SentEvent,
  agent: AgentPrincipal | null,
  onStored: (tx: Tx, event: StoredBusEvent) => Promise<unknown>,
): Promise<Taken> {
  const { core } = ctx;
  const id = core.newId("bev");
  const arriving = { id, envelope: receivedEvent(sent, { id, time: isoTime(core.now()) }) };
  const reservation = core.eventRateLimit.reserve();
  let verdict: Verdict;
  try {
    // Begins no transaction for an agent that has reached its limit. Events are counted only in the
    // transaction, so concurrent events beyond the limit are refused there.
    if (agent) core.eventRateLimit.requireRoom(agent.agentId);
    const { source, id: sourceId } = arriving.envelope;
    verdict = await core.db.batch(
      decideAll,
      { ctx, arriving, agent, reservation, onStored },
      JSON.stringify([source, sourceId]),
    );
  } catch (error) {
    reservation.giveBack();
    if (error instanceof AppError && error.code === "BUS_RATE_LIMITED") {
      core.counters.count("busEventsRateLimited");
      // Summarized, so that rate-limited events cannot fill the audit trail.
      await noteRepeated(ctx, refusalEntry(arriving.envelope, error), error.code);
    }
    throw error;
  }
  core.counters.count(counterOf(verdict));
  // Refused events count towards the limit as well.
  if ("refusal" in verdict) throw verdict.refusal;
  return verdict;
}

function counterOf(verdict: Verdict): CounterName {
  if ("refusal" in verdict) return "busEventsRejected";
  return verdict.duplicate ? "busEventsDuplicate" : "busEventsReceived";
}

/** An event, and the call that published it. */
interface Publication {
  ctx: Ctx;
  arriving: Pick<StoredBusEvent, "id" | "envelope">;
  agent: AgentPrincipal | null;
  reservation: Reservation;
  onStored: (tx: Tx, event: StoredBusEvent) => Promise<unknown>;
}

/** What will become of an event, decided before anything is changed. */
type Judged = { one: Publication } & (
  | { kind: "store"; event: StoredBusEvent; routes: BusRoute[] }
  | { kind: "repeat"; event: StoredBusEvent }
  | { kind: "refuse"; refusal: AppError }
  /**
   * Audit rows about events of unknown services are summarized, because no agent's rate limit
   * applies to these events.
   */
  | { kind: "refuse unknown"; refusal: AppError }
);

/** No two events of a batch have the same source and id. */
async function decideAll(
  tx: Tx,
  publications: readonly Publication[],
): Promise<PromiseSettledResult<Verdict>[]> {
  return readThenWrite(
    publications,
    (one) => judge(tx, one),
    async (judged) => {
      const stored = judged.filter((each) => each.kind === "store");
      await store(tx, stored);
      for (const { one, event, routes } of stored) await routeEvent(one.ctx, tx, event, routes);
      await Promise.all(stored.map(({ one, event }) => one.onStored(tx, event)));
      const verdicts = new Map<Judged, Verdict>();
      for (const each of judged) verdicts.set(each, await verdictOf(tx, each));
      return verdicts;
    },
  );
}

async function store(
  tx: Tx,
  stored: readonly { one: Publication; event: StoredBusEvent }[],
): Promise<void> {
  const [first] = stored;
  if (first === undefined) return;
  await Promise.all([
    insertBusEvents(
      tx,
      stored.map(({ event }) => event),
    ),
    auditAll(
      first.one.ctx.core,
      tx,
      stored.map(({ one, event: { id, envelope, depth } }) => ({
        call: one.ctx,
        entry: {
          action: "bus.event.received",
          targetId: id,
          metadata: { ...traitsOf(envelope), sourceEventId: envelope.id, depth },
        },
      })),
    ),
  ]);
}

async function verdictOf(tx: Tx, judged: Judged): Promise<Verdict> {
  const { one } = judged;
  const { ctx, arriving } = one;
  switch (judged.kind) {
    case "store":
      return { event: judged.event, duplicate: false };
    case "repeat":
      return repeat(ctx, tx, judged.event);
    case "refuse":
      return refuse(ctx, tx, arriving.envelope, judged.refusal);
    case "refuse unknown": {
      const { refusal } = judged;
      await auditRepeated(ctx, tx, refusalEntry(arriving.envelope, refusal), refusal.code);
      return { refusal };
    }
  }
}

async function judge(tx: Tx, one: Publication): Promise<Judged> {
  const { agent, reservation } = one;
  const { id, envelope } = one.arriving;
  if (agent) await recheckAgent(tx, agent);
  const service = await findServiceByCode(tx, envelope.source);
  const agentId = agent?.agentId ?? service?.agentId;
  if (agentId === undefined) {
    return { one, kind: "refuse unknown", refusal: noSuchSource(envelope) };
  }
  reservation.take(agentId);
  if (!service) return { one, kind: "refuse", refusal: noSuchSource(envelope) };
  if (service.agentId !== agentId) return { one, kind: "refuse", refusal: foreignSource(service) };
  const known = await findPublishedEvent(tx, envelope.source, envelope.id);
  if (known) return { one, kind: "repeat", event: known };
  const { causationid } = envelope;
  const routes = matchedRoutes(await liveRoutes.get(tx), envelope);
  const depth = depthAfter(
    causationid === undefined ? null : await findCauseDepth(tx, causationid),
  );
  if (depth > maxEventDepth) return { one, kind: "refuse", refusal: tooDeep(depth) };
  return {
    one,
    kind: "store",
    event: { id, agentId, depth, envelope, receivedAt: tx.now },
    routes,
  };
}

async function repeat(ctx: Ctx, tx: Tx, event: StoredBusEvent): Promise<Verdict> {
  await auditRepeated(ctx, tx, {
    action: "bus.event.duplicate",
    targetId: event.id,
    metadata: { ...traitsOf(event.envelope), sourceEventId: event.envelope.id },
  });
  return { event, duplicate: true };
}

/** Returns the refusal instead of throwing it, so that the audit row is committed. */
async function refuse(ctx: Ctx, tx: Tx, event: BusEvent, refusal: AppError): Promise<Verdict> {
  await audit(ctx, tx, refusalEntry(event, refusal));
  return { refusal };
}

function refusalEntry(event: BusEvent, { code, message }: AppError) {
  return {
    action: "bus.event.rejected",
    targetId: null,
    result: "DENIED",
    message,
    metadata: { ...traitsOf(event), sourceEventId: event.id, code },
  } as const;
}

function traitsOf({ type, source, causationid }: BusEvent): Record<string, unknown> {
  return { type, source, ...(causationid === undefined ? {} : { causationid }) };
}

function noSuchSource({ source }: BusEvent): AppError {
  return new AppError("BUS_SOURCE_NOT_FOUND", `No agent has reported a service ${source}.`);
}

function foreignSource({ code }: Service): AppError {
  return new AppError(
    "CAPSULE_SOURCE_FORBIDDEN",
    `The service ${code} does not belong to this agent.`,
  );
}

function tooDeep(depth: number): AppError {
  return new AppError(
    "BUS_DEPTH_EXCEEDED",
    "This event was caused by an event that the bus itself has caused: longer chains are refused.",
    { details: { depth, maxDepth: maxEventDepth } },
  );
}
