// The envelope of a bus event on the wire: CloudEvents 1.0 in JSON.

import { z } from "zod";
import {
  attributePattern,
  type EventAttributes,
  eventTypeMaxLength,
  eventTypePattern,
  matchOutcomes,
  type SentEvent,
} from "../../domain/bus/bus-events.ts";
import { maxEventAttributes } from "../../domain/limits.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { redactText } from "../../domain/payload/redaction.ts";
import { hasMoreThan } from "../contract/bounded.ts";
import { named } from "../contract/schema-names.ts";
import { code, json } from "../contract/schemas.ts";

/** What came of an event at a route that it matched. */
export const matchOutcome = named("BusMatchOutcome", z.enum(matchOutcomes));

const text = z.string().min(1).max(200);

/** Redaction may make it longer. */
const keptText = z.string().optional();

const extension = z.union(
  [z.string().max(2000), z.boolean(), z.int32()],
  "must be text of 2,000 characters at most, a whole number of 32 bits, true or false",
);

/** How a body with an event may be named, beside plain JSON. */
export const cloudEventTypes = ["application/cloudevents+json"] as const;

/** Were a part of these taken out, one event could not be told from another. */
const hasNoToken = (name: string) => redactText(name) === name;
const tokenError = { error: "must not hold what looks like one of our tokens: platform_key_…" };

const eventType = z
  .string()
  .max(eventTypeMaxLength)
  .regex(eventTypePattern, { error: "must be a dotted name such as order.created" })
  .refine(hasNoToken, tokenError);

/** The database keeps all halves of characters as the same one. */
const eventId = text
  .refine(hasNoToken, tokenError)
  .refine((id) => !/\p{Surrogate}/u.test(id), { error: "must not hold half a character" });

const ofCause = {
  description: "Of the event or the command of the bus that this event comes from.",
};

const attributes = {
  specversion: z.literal("1.0", { error: "must be 1.0" }).default("1.0"),
  type: eventType,
  source: code.meta({ description: "The code of the service that the event is about." }),
  id: eventId.optional().meta({ description: "With `source` it tells the event from all others." }),
  time: z.iso.datetime({ offset: true }).optional(),
  subject: text.optional(),
  datacontenttype: text.optional(),
  data: json.optional(),
  causationid: text.optional().meta(ofCause),
  correlationid: text.optional(),
};

const envelope = named(
  "CloudEvent",
  z
    .object({
      ...attributes,
      data_base64: z
        .never({ error: "binary data is not taken: what is in it cannot be redacted" })
        .optional(),
    })
    .catchall(extension),
);

/**
 * As a publisher sends it. An attribute that is null is as good as absent (CloudEvents), and so is one
 * whose name CloudEvents does not allow (unknown fields are ignored).
 */
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

/** TypeScript wants the known attributes to be of this kind as well. */
const keptExtension = z.union([z.string(), z.boolean(), z.int32()]) as z.ZodType as z.ZodType<
  Json | undefined
>;

/** As it is kept. */
export const busEvent = named(
  "StoredCloudEvent",
  z
    .object({
      ...attributes,
      specversion: z.literal("1.0"),
      id: z.string(),
      time: z.string(),
      subject: keptText,
      datacontenttype: keptText,
      causationid: keptText.meta(ofCause),
      correlationid: keptText,
    })
    .catchall(keptExtension)
    .meta({ description: "After redaction, with the publisher's own attributes beside these." }),
);

function withoutUnset(sent: JsonObject): JsonObject {
  const kept = Object.entries(sent).filter(([name, value]) => {
    const isKnown = attributePattern.test(name) || name === "data_base64";
    return isKnown && value !== undefined && (value !== null || name === "data");
  });
  return Object.fromEntries(kept);
}
