// Events of the bus: CloudEvents 1.0 in JSON, as the service keeps and routes them.
// (docs/decisions/0012-event-bus.md)

import type { CommandStatus } from "../commands.ts";
import type { Json } from "../payload/json.ts";
import { redact } from "../payload/redaction.ts";

/** What the audit trail records of events of the bus. */
export const audited = {
  targetType: "bus_event",
  actions: ["bus.event.received", "bus.event.duplicate", "bus.event.rejected"],
} as const;

/** A dotted name, as it stands in `type`. */
export const eventTypePattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
export const eventTypeMaxLength = 200;

/** How CloudEvents names an attribute, those that it does not know too. */
export const attributePattern = /^[a-z0-9]+$/;

/** The fields of an event: what a pointer into it can begin with. */
export const eventFields = [
  "specversion",
  "type",
  "source",
  "id",
  "time",
  "subject",
  "datacontenttype",
  "data",
  "causationid",
  "correlationid",
] as const satisfies readonly (keyof EventAttributes | "id" | "time")[];

export interface EventAttributes {
  specversion: "1.0";
  type: string;
  /** The code of the service that it is about. */
  source: string;
  subject?: string | undefined;
  datacontenttype?: string | undefined;
  data?: Json | undefined;
  causationid?: string | undefined;
  correlationid?: string | undefined;
}

/** An event after redaction. */
export interface BusEvent extends EventAttributes {
  /** The publisher's, or ours when it gave none. */
  id: string;
  /** ISO 8601: the publisher's, or when it came in. */
  time: string;
  /** The publisher's own attributes: text, whole numbers, yes or no. */
  [extension: string]: Json | undefined;
}

/** An event as somebody sends it. */
export interface SentEvent extends EventAttributes {
  id?: string | undefined;
  time?: string | undefined;
  [extension: string]: Json | undefined;
}

/** An event as it is stored. */
export interface StoredBusEvent {
  id: string;
  /** Who published it. */
  agentId: string;
  depth: number;
  envelope: BusEvent;
  /** Unix milliseconds. */
  receivedAt: number;
}

/** What a list shows of an event: all but the envelope, which may be large. */
export interface ListedBusEvent extends Omit<StoredBusEvent, "envelope"> {
  type: string;
  source: string;
  /** The envelope's id. */
  sourceEventId: string;
  subject: string | null;
  causationId: string | null;
  correlationId: string | null;
}

export const matchOutcomes = ["COMMAND_CREATED", "DRY_RUN", "FAILED"] as const;
export type MatchOutcome = (typeof matchOutcomes)[number];

/** What became of an event at a route that it matched. */
export interface BusMatch {
  routeId: string;
  /** When it matched; null where that was not kept. */
  routeName: string | null;
  outcome: MatchOutcome;
  commandId: string | null;
  /** Why there is no command, when there should be one. */
  reason: string | null;
}

/** A match, and what is there of it now. */
export interface ListedBusMatch extends BusMatch {
  /** The route's name now, or the last that is known. */
  routeName: string | null;
  routeDeleted: boolean;
  /** Null when there is no command. */
  commandStatus: CommandStatus | null;
}

/** What becomes of a sent event: secrets redacted, `id` and `time` filled in where it has none. */
export function receivedEvent(sent: SentEvent, ours: { id: string; time: string }): BusEvent {
  const clean = redact(sent);
  // A service's code is no text that a secret may stand in.
  clean.source = sent.source;
  const { specversion, type, source, id = ours.id, time = ours.time, ...rest } = clean;
  return { specversion, type, source, id, time, ...rest };
}

/** An event may be caused by a command of the bus, and that one by an event that is not. */
export const maxEventDepth = 1;

/** How far an event is from one that the bus had no part in; `cause` is its cause's depth, if known. */
export function depthAfter(cause: number | null): number {
  return cause === null ? 0 : cause + 1;
}
