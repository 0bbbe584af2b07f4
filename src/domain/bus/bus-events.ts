// CloudEvents 1.0 in JSON, as the bus stores and routes them. (docs/decisions/0012-event-bus.md)

import type { CommandStatus } from "../commands/commands.ts";
import type { Json } from "../payload/json.ts";
import { redact } from "../secrets/redaction.ts";

/** Event types are dotted names. */
export const eventTypePattern = /^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$/;
export const eventTypeMaxLength = 200;

/** CloudEvents limits the names of attributes and extensions to this form. */
export const attributePattern = /^[a-z0-9]+$/;

/** A pointer into an event can begin with one of these, or with an extension. */
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
  id: string;
  /** ISO 8601. The time of receipt if the publisher sends none. */
  time: string;
  /** Extension attributes, which are strings, integers or booleans. */
  [extension: string]: Json | undefined;
}

export interface SentEvent extends EventAttributes {
  id?: string | undefined;
  time?: string | undefined;
  [extension: string]: Json | undefined;
}

export interface StoredBusEvent {
  id: string;
  /** The id of the agent that published the event. */
  agentId: string;
  depth: number;
  envelope: BusEvent;
  /** Unix milliseconds. */
  receivedAt: number;
}

/** Omits the envelope, which may be large. */
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

export interface BusMatch {
  routeId: string;
  /** The route's name at the time of the match; null if it was not recorded. */
  routeName: string | null;
  outcome: MatchOutcome;
  commandId: string | null;
  /** Why no command was created although the route matched. */
  reason: string | null;
}

export interface ListedBusMatch extends BusMatch {
  /** The route's current name, or its last known one. */
  routeName: string | null;
  routeDeleted: boolean;
  /** Null if there is no command. */
  commandStatus: CommandStatus | null;
}

/** Redacts secrets, and fills in a missing `id` or `time`. */
export function receivedEvent(sent: SentEvent, ours: { id: string; time: string }): BusEvent {
  const clean = redact(sent);
  // The source is the code of a service, which is not redacted.
  clean.source = sent.source;
  const { specversion, type, source, id = ours.id, time = ours.time, ...rest } = clean;
  return { specversion, type, source, id, time, ...rest };
}

/** An event caused by a bus command has depth 1. Deeper events are refused. */
export const maxEventDepth = 1;

/** `cause` is the depth of the event's cause, if known. */
export function depthAfter(cause: number | null): number {
  return cause === null ? 0 : cause + 1;
}
