// The schemas of a replay: what a route would have done with each event of a time window.

import { z } from "zod";
import { readReplayCursor, replayCursorForm } from "../../domain/bus/replays.ts";
import { replayLimit } from "../../domain/limits.ts";
import { namedObject } from "../contract/schema-names.ts";
import { idOf, jsonObject, moment, timestamp } from "../contract/schemas.ts";
import { matchOutcome, matchOutcomeNote } from "./event-schemas.ts";

const cursor = z
  .string()
  .regex(replayCursorForm, { error: "must be the nextCursor of a response" })
  .transform(readReplayCursor);

/** The body without the route. */
export const replayWindow = {
  from: moment.meta({
    description: "The start of the window: events received at or after this time.",
  }),
  to: moment.optional().meta({
    description:
      "The end of the window, exclusive. The latest end is the time of the first request, or of the newest event.",
  }),
  cursor: cursor.optional().meta({
    description: "`nextCursor` of the previous page. Send the rest of the body unchanged.",
  }),
  limit: z.int().min(1).max(replayLimit.max).default(replayLimit.default).meta({
    description: "The maximum number of events. A page can have fewer without being the last.",
  }),
  onlyMatched: z
    .boolean()
    .default(false)
    .meta({ description: "List only events that match. The summary counts all events." }),
};

const counts = { commands: z.int(), dryRuns: z.int(), failed: z.int() };

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
  outcome: matchOutcome.nullable().meta({ description: matchOutcomeNote }),
  reason: z.string().nullable().meta({ description: "Why the route would fail." }),
  payload: jsonObject.nullable().meta({
    description: "The payload of the command that the route would create, also in DRY_RUN.",
  }),
  recorded: recordedOutcome.nullable().meta({
    description:
      "The actual outcome at this route. Null if the event did not match at the time, the route did not " +
      "exist or was DISABLED, or the route is not saved.",
  }),
});

const failureReason = namedObject("BusReplayReason", { reason: z.string(), count: z.int() });

const summary = namedObject("BusReplaySummary", {
  events: z.int().meta({ description: "The number of events examined." }),
  matched: z.int(),
  ...counts,
  reasons: z.array(failureReason).meta({
    description: "Why the route would fail; only the first reasons if there are very many.",
  }),
  recorded: namedObject("BusReplayCounts", counts).nullable().meta({
    description: "The actual outcomes at this route. Null if it is not saved.",
  }),
});

export const replayPage = namedObject("BusReplay", {
  events: z.array(replayedEvent).meta({ description: "In the order of arrival." }),
  summary: summary.meta({ description: "The summary of this page." }),
  oldestEventAt: timestamp.nullable().meta({
    description: "When the oldest stored event was received, inside or outside the window.",
  }),
  nextCursor: z.string().nullable().meta({ description: "Null at the end of the window." }),
});
