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
  from: moment.describe(
    "The start of the time window (inclusive). The time of an event is when it was received.",
  ),
  to: moment
    .optional()
    .describe(
      "The end of the time window (exclusive). By default, the window ends after the newest " +
        "event, or at the time of the request for the first page, whichever is later. It " +
        "cannot end later than that.",
    ),
  cursor: cursor
    .optional()
    .describe("The `nextCursor` of the previous page. Send the rest of the body unchanged."),
  limit: z
    .int()
    .min(1)
    .max(replayLimit.max)
    .default(replayLimit.default)
    .describe(
      "The maximum number of events on a page. A page can have fewer events even if it is " +
        "not the last one.",
    ),
  onlyMatched: z
    .boolean()
    .default(false)
    .describe("Whether to list only events that match. The summary always counts all events."),
};

const counts = {
  commands: z.int().describe("The number of events with the outcome COMMAND_CREATED."),
  dryRuns: z.int().describe("The number of events with the outcome DRY_RUN."),
  failed: z.int().describe("The number of events with the outcome FAILED."),
};

const recordedOutcome = namedObject("RecordedOutcome", {
  outcome: matchOutcome,
  commandId: idOf("cmd").optional().describe("The command that the route created."),
  reason: z.string().optional().describe("Why no command was created."),
});

export const replayedEvent = namedObject("ReplayedBusEvent", {
  eventId: idOf("bev"),
  type: z.string().describe("The type of the event, such as `order.created`."),
  source: z.string().describe("The code of the service that the event is about."),
  receivedAt: timestamp.describe("When the server received the event."),
  matched: z.boolean().describe("Whether the event matches."),
  outcome: matchOutcome.nullable().describe(matchOutcomeNote),
  reason: z.string().nullable().describe("Why the route would fail."),
  payload: jsonObject
    .nullable()
    .describe(
      "The payload of the command that the route would create. It is also present if the " +
        "outcome is DRY_RUN.",
    ),
  recorded: recordedOutcome
    .nullable()
    .describe(
      "The outcome that the event actually had for this route when it arrived. Null if the " +
        "event did not match then, if the route did not exist or was DISABLED, or if the route " +
        "is not saved.",
    ),
});

const failureReason = namedObject("BusReplayReason", {
  reason: z.string().describe("Why the route would fail."),
  count: z.int().describe("The number of events for which it would fail for this reason."),
});

const summary = namedObject("BusReplaySummary", {
  events: z.int().describe("The number of events examined."),
  matched: z.int().describe("The number of events that match the route."),
  ...counts,
  reasons: z
    .array(failureReason)
    .describe(
      "Why the route would fail. If there are very many reasons, only the first ones are listed.",
    ),
  recorded: namedObject("BusReplayCounts", counts)
    .nullable()
    .describe(
      "The outcomes that these events actually had for this route. Null if the route is not saved.",
    ),
});

export const replayPage = namedObject("BusReplay", {
  events: z.array(replayedEvent).describe("The events, in the order of arrival."),
  summary: summary.describe("The summary of this page."),
  oldestEventAt: timestamp
    .nullable()
    .describe(
      "When the oldest stored event was received, even if that event is not in the window.",
    ),
  nextCursor: z
    .string()
    .nullable()
    .describe("The `cursor` for the next page. Null at the end of the window."),
});
