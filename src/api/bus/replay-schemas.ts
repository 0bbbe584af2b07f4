// A replay reports what a route would have done with each event of a time window.

import { z } from "zod";
import { readReplayCursor, replayCursorForm } from "../../domain/bus/replays.ts";
import { replayLimit } from "../../domain/limits.ts";
import { namedObject } from "../contract/schema-names.ts";
import { idOf, jsonObject, moment, timestamp } from "../contract/schemas.ts";
import { matchOutcome, matchOutcomeNote } from "./event-schemas.ts";

const cursor = z
  .string()
  .regex(replayCursorForm, { error: "must be the nextCursor of an earlier response" })
  .transform(readReplayCursor);

export const replayWindow = {
  from: moment.describe("The start of the window: events received at or after this time."),
  to: moment
    .optional()
    .describe(
      "The end of the window (exclusive). By default, and at the latest, the window ends after the " +
        "newest event or the request for the first page, whichever is later.",
    ),
  cursor: cursor
    .optional()
    .describe("`nextCursor` of the previous page. Send the rest of the body unchanged."),
  limit: z
    .int()
    .min(1)
    .max(replayLimit.max)
    .default(replayLimit.default)
    .describe("The maximum number of events. A page can have fewer without being the last."),
  onlyMatched: z
    .boolean()
    .default(false)
    .describe("Whether to list only events that match. The summary always counts all events."),
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
  outcome: matchOutcome.nullable().describe(matchOutcomeNote),
  reason: z.string().nullable().describe("Why the route would fail."),
  payload: jsonObject
    .nullable()
    .describe("The payload of the command that the route would create. Present in DRY_RUN, too."),
  recorded: recordedOutcome
    .nullable()
    .describe(
      "The actual outcome at this route when the event arrived. Null if the event did not match " +
        "then, if the route did not exist or was DISABLED, or if the route is not saved.",
    ),
});

const failureReason = namedObject("BusReplayReason", { reason: z.string(), count: z.int() });

const summary = namedObject("BusReplaySummary", {
  events: z.int().describe("The number of events examined."),
  matched: z.int(),
  ...counts,
  reasons: z
    .array(failureReason)
    .describe(
      "Why the route would fail. If there are very many reasons, only the first ones are listed.",
    ),
  recorded: namedObject("BusReplayCounts", counts)
    .nullable()
    .describe("The actual outcomes at this route. Null if the route is not saved."),
});

export const replayPage = namedObject("BusReplay", {
  events: z.array(replayedEvent).describe("In the order of arrival."),
  summary: summary.describe("The summary of this page."),
  oldestEventAt: timestamp
    .nullable()
    .describe("When the oldest stored event was received, whether it is in the window or not."),
  nextCursor: z.string().nullable().describe("Null at the end of the window."),
});
