// Events of the bus: CloudEvents 1.0 in JSON, as the service stores and routes them.
// (docs/decisions/0012-event-bus.md)

import type { CommandStatus } from "../commands.ts";
import type { Json } from "../payload/json.ts";
import { redact } from "../payload/redaction.ts";

/** What the audit trail records of events of the bus. */
export const audited = {
  targetType: "bus_event",
  actions: ["bus.event.received", "bus.event.duplicate", "bus.event.rejected"],
} as const;

/** The dotted name in `type`. */
export const eventTypePattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
export const eventTypeMaxLength = 200;

/** The name of a CloudEvents attribute, including extensions. */
export const attributePattern = /^[a-z0-9]+$/;

/** The fields of an event, with which a pointer into it can begin. */
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
  /** The code of the service that the event is about. */
  source: string;
  subject?: string | undefined;
  datacontenttype?: string | undefined;
  data?: Json | undefined;
  causationid?: string | undefined;
  correlationid?: string | undefined;
}

/** An event after redaction. */
export interface BusEvent extends EventAttributes {
  /** From the publisher, or generated here if it gave none. */
  id: string;
  /** ISO 8601, from the publisher, or the time of receipt. */
  time: string;
  /** Extension attributes: strings, integers or booleans. */
  [extension: string]: Json | undefined;
}

/** An event as the publisher sends it. */
export interface SentEvent extends EventAttributes {
  id?: string | undefined;
  time?: string | undefined;
  [extension: string]: Json | undefined;
}

/** An event as it is stored. */
export interface StoredBusEvent {
  id: string;
  /** The publisher. */
  agentId: string;
  depth: number;
  envelope: BusEvent;
  /** Unix milliseconds. */
  receivedAt: number;
}

/** An event in a list: everything except the envelope, which may be large. */
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

/** The outcome of an event at a route that it matched. */
export interface BusMatch {
  routeId: string;
  /** The name at the time of the match; null if it was not recorded. */
  routeName: string | null;
  outcome: MatchOutcome;
  commandId: string | null;
  /** Why there is no command although there should be one. */
  reason: string | null;
}

/** A match with the current state of its route and command. */
export interface ListedBusMatch extends BusMatch {
  /** The current name, or the last known one. */
  routeName: string | null;
  routeDeleted: boolean;
  /** Null if there is no command. */
  commandStatus: CommandStatus | null;
}

/** The event as it is stored: secrets redacted, a missing `id` or `time` filled in. */
export function receivedEvent(sent: SentEvent, ours: { id: string; time: string }): BusEvent {
  const clean = redact(sent);
  // The source is the code of a service, which is not redacted.
  clean.source = sent.source;
  const { specversion, type, source, id = ours.id, time = ours.time, ...rest } = clean;
  return { specversion, type, source, id, time, ...rest };
}

/** An event caused by a bus command has depth 1. Deeper events are refused. */
export const maxEventDepth = 1;

/** Returns the depth of an event. `cause` is the depth of its cause, if known. */
export function depthAfter(cause: number | null): number {
  return cause === null ? 0 : cause + 1;
}
