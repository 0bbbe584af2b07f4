// The replay of a window on the wire: what a route would have done with each event that came in.

import { z } from "zod";
import { readReplayCursor, replayCursorForm } from "../../domain/bus/replays.ts";
import { replayLimit } from "../../domain/limits.ts";
import { namedObject } from "../contract/schema-names.ts";
import { idOf, jsonObject, moment, timestamp } from "../contract/schemas.ts";
import { matchOutcome } from "./event-schemas.ts";

const cursor = z
  .string()
  .regex(replayCursorForm, { error: "must be the nextCursor of an answer" })
  .transform(readReplayCursor);

/** The body but for the route. */
export const replayWindow = {
  from: moment.meta({ description: "Events that came in then or later." }),
  to: moment.optional().meta({
    description:
      "Before then. At the latest the moment of the first call, or of the newest event, counts.",
  }),
  cursor: cursor.optional().meta({
    description: "`nextCursor` of the page before; the rest of the body as it was.",
  }),
  limit: z
    .int()
    .min(1)
    .max(replayLimit.max)
    .default(replayLimit.default)
    .meta({ description: "Events to look at; a page may have fewer and still not be the last." }),
  onlyMatched: z
    .boolean()
    .default(false)
    .meta({ description: "List only those that match; the summary counts all." }),
};

const counts = {
  commands: z.int(),
  dryRuns: z.int(),
  failed: z.int(),
};

const recordedOutcome = namedObject("RecordedOutcome", {
  outcome: matchOutcome,
  commandId: idOf("cmd").optional(),
  reason: z.string().optional(),
});

export const replayedEvent = namedObject("ReplayedBusEvent", {
  eventId: idOf("bev"),
  type: z.string(),
  source: z.string(),
  receivedAt: timestamp,
  matched: z.boolean(),
  outcome: matchOutcome
    .nullable()
    .meta({ description: "Null when it does not match. Of a DISABLED route: were it enabled." }),
  reason: z.string().nullable().meta({ description: "Why it would fail." }),
  payload: jsonObject
    .nullable()
    .meta({ description: "Of the command that would be made, in DRY_RUN too." }),
  recorded: recordedOutcome.nullable().meta({
    description:
      "What really came of it at this route; null when it did not match then, the route was not " +
      "there or DISABLED, or it is not saved.",
  }),
});

const failureReason = namedObject("BusReplayReason", { reason: z.string(), count: z.int() });

const summary = namedObject("BusReplaySummary", {
  events: z.int().meta({ description: "All that were looked at." }),
  matched: z.int(),
  ...counts,
  reasons: z
    .array(failureReason)
    .meta({ description: "Why they would fail; where there are very many, the first ones." }),
  recorded: namedObject("BusReplayCounts", counts).nullable().meta({
    description: "What really came of them at this route; null when it is not saved.",
  }),
});

export const replayPage = namedObject("BusReplay", {
  events: z.array(replayedEvent).meta({ description: "In the order in which they came in." }),
  summary: summary.meta({ description: "Of this page." }),
  oldestEventAt: timestamp.nullable().meta({
    description: "When the oldest event came in that is still kept, in the window or not.",
  }),
  nextCursor: z.string().nullable().meta({ description: "Null at the end of the window." }),
});
