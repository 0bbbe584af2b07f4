// A bus event is a CloudEvents 1.0 envelope in JSON.

import { z } from "zod";
import {
  attributePattern,
  type EventAttributes,
  eventTypeMaxLength,
  eventTypePattern,
  matchOutcomes,
  type SentEvent,
} from "../../domain/bus/bus-events.ts";
import { bodyLimitBytes, maxEventAttributes } from "../../domain/limits.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { redactText } from "../../domain/secrets/redaction.ts";
import { hasMoreThan } from "../contract/bounded.ts";
import { named } from "../contract/schema-names.ts";
import { code, json } from "../contract/schemas.ts";

export const matchOutcome = named(
  "BusMatchOutcome",
  z
    .enum(matchOutcomes)
    .describe(
      "COMMAND_CREATED: the route created a command. DRY_RUN: it only recorded the event. FAILED: it could not create a command.",
    ),
);

export const matchOutcomeNote =
  "The outcome of the event for this route. Null if the event does not match. For a DISABLED " +
  "route, this is the outcome that the event would have if the route were enabled.";

const text = z.string().min(1).max(200);

/** A stored attribute has no maximum length, because redaction can make it longer. */
const keptText = z.string().optional();

/** Gives a stored attribute the description of the one that was sent. */
function like<T extends z.ZodType>({ description = "" }: z.ZodType, kept: T): T {
  return kept.describe(description);
}

const extension = z.union(
  [z.string().max(2000), z.boolean(), z.int32()],
  "must be text of at most 2,000 characters, a 32-bit whole number, true or false",
);

/** Redaction would give different events the same name, so names must not contain tokens. */
const hasNoToken = (name: string) => redactText(name) === name;
const tokenError = { error: "must not contain anything that looks like a token: platform_key_…" };

const eventType = z
  .string()
  .max(eventTypeMaxLength)
  .regex(eventTypePattern, { error: "must be a dotted name such as order.created" })
  .refine(hasNoToken, tokenError);

/** SQLite would store all lone surrogates as the same character. */
const eventId = text
  .refine(hasNoToken, tokenError)
  .refine((id) => !/\p{Surrogate}/u.test(id), { error: "must not contain a lone surrogate" });

const attributes = {
  specversion: z
    .literal("1.0", { error: "must be 1.0" })
    .default("1.0")
    .describe("The version of CloudEvents."),
  type: eventType.describe("The type of the event, such as `order.created`."),
  source: code.describe("The code of the service that the event is about."),
  id: eventId
    .optional()
    .describe("The id of the event. `source` and `id` together identify the event."),
  time: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("When the event occurred. By default, the time when the server received it."),
  subject: text.optional().describe("The part of the service that the event is about."),
  datacontenttype: text.optional().describe("Stored unchanged."),
  data: json.optional().describe("The content of the event."),
  causationid: text
    .optional()
    .describe("The id of the bus event or command that caused this event."),
  correlationid: text.optional().describe("Stored unchanged."),
};

const envelope = named(
  "CloudEvent",
  z
    .object({
      ...attributes,
      data_base64: z
        .never({ error: "binary data is not supported, because it cannot be redacted" })
        .optional()
        .describe("Not supported."),
    })
    .catchall(extension),
);

/** Ignores null attributes, as CloudEvents requires, and attributes with names that it forbids. */
export const sentEvent = z.preprocess((sent, context) => {
  if (!isJsonObject(sent)) return sent;
  if (!hasMoreThan(maxEventAttributes, sent)) return withoutUnset(sent);
  context.addIssue(`at most ${maxEventAttributes} attributes`);
  return z.NEVER;
}, envelope) as z.ZodType as z.ZodType<SentEvent, EventInput>;

interface EventInput extends Omit<EventAttributes, "specversion"> {
  specversion?: "1.0" | undefined;
  id?: string | undefined;
  time?: string | undefined;
  [extension: string]: Json | undefined;
}

/** TypeScript requires that the type of unknown attributes includes the types of known ones. */
const keptExtension = z.union([z.string(), z.boolean(), z.int32()]) as z.ZodType as z.ZodType<
  Json | undefined
>;

/** What the routes that publish an event have in common. */
export const publishing = {
  body: sentEvent,
  bodyTypes: ["application/cloudevents+json"],
  bodyLimit: bodyLimitBytes.busEvent,
  status: 201,
  otherStatus: 200,
  idempotent: true,
} as const;

export const busEvent = named(
  "StoredCloudEvent",
  z
    .object({
      ...attributes,
      specversion: like(attributes.specversion, z.literal("1.0")),
      id: like(attributes.id, z.string()),
      time: like(attributes.time, z.string()),
      subject: like(attributes.subject, keptText),
      datacontenttype: like(attributes.datacontenttype, keptText),
      causationid: like(attributes.causationid, keptText),
      correlationid: like(attributes.correlationid, keptText),
    })
    .catchall(keptExtension)
    .describe("The event after redaction, including the publisher's own attributes."),
);

function withoutUnset(sent: JsonObject): JsonObject {
  const kept = Object.entries(sent).filter(([name, value]) => {
    const isKnown = attributePattern.test(name) || name === "data_base64";
    return isKnown && value !== undefined && (value !== null || name === "data");
  });
  return Object.fromEntries(kept);
}
