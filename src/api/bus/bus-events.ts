// Events of the bus as operators see and publish them. Experimental.

import { z } from "zod";
import { eventTypeMaxLength } from "../../domain/bus/bus-events.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { defineNoun } from "../contract/noun.ts";
import { defineRoutes } from "../contract/route.ts";
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
import { busEvent, cloudEventTypes, matchOutcome, sentEvent } from "./event-schemas.ts";

const match = namedObject("BusEventMatch", {
  routeId: idOf("brt"),
  routeName: z
    .string()
    .optional()
    .describe("Its current name, or the last one if the route was deleted."),
  routeDeleted: z.literal(true).optional(),
  outcome: matchOutcome,
  commandId: idOf("cmd").optional(),
  commandStatus: commandStatus.optional().describe("The current status of the command."),
  reason: z.string().optional().describe("Why there is no command."),
});

/** A row of the list, without the event's data. */
const busEventSummary = namedObject("BusEvent", {
  id: idOf("bev"),
  agentId: idOf("agt"),
  type: z.string(),
  source: z.string(),
  sourceEventId: z.string().describe("`id` in the envelope: the publisher's, or a generated one."),
  subject: z.string().nullable(),
  depth: z.int().describe("1 if an event or a command of the bus caused it, otherwise 0."),
  causationId: z.string().nullable(),
  correlationId: z.string().nullable(),
  receivedAt: timestamp,
  routes: z.array(match).describe("The routes that it matched, with the outcome."),
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
        .describe("Only events of this type, such as order.created."),
      source: idParam.optional().describe("Only events about the service with this code."),
      agentId: idParam.optional().describe("Only events published by this agent."),
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
    summary: "Get an event with its envelope and its outcome",
    params: z.object({ eventId: idParam }),
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
      "The rules and rate limits of the agent of the service in `source` apply. If an event with the same " +
      "`source` and `id` exists, the response is 200 with that event.",
    body: sentEvent,
    bodyTypes: cloudEventTypes,
    bodyLimit: bodyLimitBytes.busEvent,
    status: 201,
    otherStatus: 200,
    idempotent: true,
    reply: named("PublishedBusEvent", busEventDetail.extend({ duplicate: z.boolean() })),
    errors: ["BUS_SOURCE_NOT_FOUND", "BUS_DEPTH_EXCEEDED", "BUS_RATE_LIMITED"],
  },
});

export const busEventNoun = defineNoun("bus-events", busEvents, {
  group: "events",
  one: "event",
  title: "Events",
  summary: "Events of the event bus, and their outcomes (experimental)",
  lead: "Events that agents have published, with the outcome at each route.",
  prefix: "bev",
  about: { cell: "eventSummary" },
  opens: "type",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "type", of: "type" },
    { name: "source", of: "source" },
    { name: "subject", of: "subject" },
    { name: "received", of: "receivedAt", kind: "time" },
    { name: "outcome", of: { cell: "eventOutcome" } },
    { name: "depth", of: "depth", kind: "number", wide: true },
    { name: "cause", of: "causationId", wide: true },
    { name: "correlation", of: "correlationId", wide: true },
    { name: "source id", of: "sourceEventId", wide: true },
    { name: "agent", of: "agentId", kind: "key", wide: true, link: { to: "agents" } },
  ],
  empty: "No events. Agents publish them, or: platformctl events publish",
  emptyPage: "No event has been received yet. Agents publish them.",
  filters: { source: { hint: "Code of a service" } },
  examples: { get: ["events get bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -o json | jq .event"] },
});
