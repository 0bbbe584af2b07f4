// The envelope of a bus event on the wire: CloudEvents 1.0 in JSON.
// (`decisions.md` 6 "Envelope")

import { z } from "zod";
import { eventTypeMaxLength, eventTypePattern } from "../domain/bus-events.ts";
import { code, json } from "./schemas.ts";

const text = z.string().min(1).max(200);

/** As a publisher sends it. */
export const sentEvent = z.object({
  specversion: z.literal("1.0").default("1.0"),
  type: z.string().max(eventTypeMaxLength).regex(eventTypePattern, {
    error: "must be a dotted name such as order.created",
  }),
  source: code.meta({ description: "The code of the service that the event is about." }),
  id: text.optional(),
  time: z.iso.datetime({ offset: true }).optional(),
  subject: text.optional(),
  datacontenttype: text.optional(),
  data: json.optional(),
  causationid: text.optional(),
  correlationid: text.optional(),
});

/** As it is kept. */
export const busEvent = sentEvent.extend({ id: z.string(), time: z.string() });
