import { z } from "zod";
import { eventTypeMaxLength } from "../../domain/bus/bus-events.ts";
import { defineRoutes } from "../contract/define-routes.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  idOf,
  idParam,
  longListNote,
  longListQuery,
  timeSpanQuery,
  timestamp,
} from "../contract/schemas.ts";
import { commandStatus } from "../shapes/command-schemas.ts";
import { busEvent, matchOutcome, publishing } from "./event-schemas.ts";

const match = namedObject("BusEventMatch", {
  routeId: idOf("brt").describe("The route that the event matched."),
  routeName: z
    .string()
    .optional()
    .describe("The route's current name, or its last name if the route was deleted."),
  routeDeleted: z
    .literal(true)
    .optional()
    .describe("True if the route was deleted. Absent otherwise."),
  outcome: matchOutcome,
  commandId: idOf("cmd").optional().describe("The command that the route created."),
  commandStatus: commandStatus.optional().describe("The current status of the command."),
  reason: z.string().optional().describe("Why no command was created."),
});

const busEventSummary = namedObject("BusEvent", {
  id: idOf("bev"),
  agentId: idOf("agt").describe(
    "The agent that published the event, or on whose behalf it was published.",
  ),
  type: z.string().describe("The type of the event, such as `order.created`."),
  source: z.string().describe("The code of the service that the event is about."),
  sourceEventId: z
    .string()
    .describe("The `id` in the envelope, which the publisher chose or the server generated."),
  subject: z.string().nullable().describe("The part of the service that the event is about."),
  depth: z.int().describe("1 if an event or a command of the bus caused this event, otherwise 0."),
  causationId: z
    .string()
    .nullable()
    .describe(
      "The id of the event or command that caused this event. Null if the envelope has none.",
    ),
  correlationId: z.string().nullable().describe("The `correlationid` of the envelope."),
  receivedAt: timestamp.describe("When the server received the event."),
  routes: z
    .array(match)
    .describe("The routes that the event matched, with the outcome for each of them."),
});

const busEventDetail = named("BusEventDetail", busEventSummary.extend({ event: busEvent }));

export const busEvents = defineRoutes({
  "bus-events.list": {
    method: "GET",
    path: "/api/admin/bus/events",
    access: "viewer",
    bus: true,
    summary: "List events of the bus, newest first",
    description: longListNote,
    query: longListQuery({
      type: z
        .string()
        .max(eventTypeMaxLength)
        .optional()
        .describe("Only events of this type, such as `order.created`."),
      source: idParam.optional().describe("Only events about the service with this code."),
      agentId: idParam.optional().describe("Only events published by this agent (id or code)."),
      routeId: idParam.optional().describe("Only events that matched this route."),
      ...timeSpanQuery,
    }),
    reply: z.array(busEventSummary),
    paginated: true,
  },
  "bus-events.get": {
    method: "GET",
    path: "/api/admin/bus/events/:eventId",
    access: "viewer",
    bus: true,
    summary: "Get an event with its envelope and its outcomes",
    params: z.object({ eventId: idParam.describe("The event's id.") }),
    reply: busEventDetail,
    errors: ["BUS_EVENT_NOT_FOUND"],
  },
  "bus-events.publish": {
    method: "POST",
    path: "/api/admin/bus/events",
    access: "operator",
    bus: true,
    summary: "Publish an event on behalf of a service's agent",
    description:
      "The rules and rate limits are those of the agent that owns the service in `source`. If an " +
      "event with the same `source` and `id` already exists, the response is 200 with that event.",
    ...publishing,
    reply: named(
      "PublishedBusEvent",
      busEventDetail.extend({
        duplicate: z.boolean().describe("Whether the server already had the event."),
      }),
    ),
    errors: ["BUS_SOURCE_NOT_FOUND", "BUS_DEPTH_EXCEEDED", "BUS_RATE_LIMITED"],
  },
});
