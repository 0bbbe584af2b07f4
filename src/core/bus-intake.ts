// An event comes in: whose it is, whether it has been here before, whether there is room for it and how
// deep it is; then it is stored and routed, in one transaction.
// (`service.md` "Bus events"; `decisions.md` 6 "Envelope", "Depth", "Rate")

import {
  type BusEvent,
  depthAfter,
  maxEventDepth,
  receivedEvent,
  type SentEvent,
  type StoredBusEvent,
} from "../domain/bus-events.ts";
import { AppError } from "../domain/errors.ts";
import type { AgentPrincipal } from "../domain/principals.ts";
import type { Service } from "../domain/services.ts";
import { isoTime } from "../lib/iso-time.ts";
import { findCauseDepth, findPublishedEvent, insertBusEvent } from "../store/bus-events.ts";
import type { Tx } from "../store/database.ts";
import { findServiceByCode } from "../store/services.ts";
import { audit } from "./audit-trail.ts";
import type { Place } from "./bus-ingest.ts";
import { routeEvent, settleForTargets } from "./bus-matches.ts";
import type { Ctx } from "./context.ts";
import { recheckAgent } from "./credentials.ts";

export interface Taken {
  event: StoredBusEvent;
  /** It was here before: nothing was stored or routed. */
  duplicate: boolean;
}

type Verdict = Taken | { refusal: AppError };

/** An event on its way in, after redaction. */
type Arriving = Pick<StoredBusEvent, "id" | "envelope">;

/**
 * Takes an event of one of the agent's services; with `agent` null an operator's, in the name of the
 * agent that has the service. The same source and id again is a duplicate, whatever else it says.
 * Throws BUS_SOURCE_NOT_FOUND, CAPSULE_SOURCE_FORBIDDEN, BUS_DEPTH_EXCEEDED, BUS_RATE_LIMITED.
 */
export async function takeEvent(
  ctx: Ctx,
  sent: SentEvent,
  agent: AgentPrincipal | null,
): Promise<Taken> {
  const { core } = ctx;
  const id = core.newId("bev");
  const arriving = { id, envelope: receivedEvent(sent, { id, time: isoTime(core.now()) }) };
  const place = core.busIngest.newPlace();
  try {
    if (agent) await refuseEarly(ctx, arriving, agent, place);
    await settleForTargets(ctx, arriving.envelope);
    const verdict = await core.db.write((tx) => decide(ctx, tx, arriving, agent, place));
    if ("refusal" in verdict) throw verdict.refusal;
    if (verdict.duplicate) place.giveBack();
    return verdict;
  } catch (error) {
    if (isRefusal(error, "BUS_RATE_LIMITED")) await noteLimited(ctx, arriving, error, agent);
    // What was refused took its place: a flood of it is one too. What could not be written did not.
    if (isRefusal(error, "UNAVAILABLE")) place.giveBack();
    throw error;
  }
}
