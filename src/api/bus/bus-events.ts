// Events of the bus as operators see them, and may publish them. Experimental.

import { z } from "zod";
import { eventTypeMaxLength } from "../../domain/bus/bus-events.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { defineNoun } from "../contract/noun.ts";
import { defineRoutes } from "../contract/route.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { idOf, idParam, longListQuery, timeSpanQuery, timestamp } from "../contract/schemas.ts";
import { commandStatus } from "../shapes/command-schemas.ts";
import { busEvent, cloudEventTypes, matchOutcome, sentEvent } from "./event-schemas.ts";

const match = namedObject("BusEventMatch", {
  routeId: idOf("brt"),
  routeName: z.string().optional().meta({ description: "Now, or when the route was last there." }),
  routeDeleted: z.literal(true).optional(),
  outcome: matchOutcome,
  commandId: idOf("cmd").optional(),
  commandStatus: commandStatus.optional().meta({ description: "Of the command now." }),
  reason: z.string().optional().meta({ description: "Why there is no command." }),
});

/** A row of a list: without the event's data. */
const busEventSummary = namedObject("BusEvent", {
  id: idOf("bev"),
  agentId: idOf("agt"),
  type: z.string(),
  source: z.string(),
  sourceEventId: z
    .string()
    .meta({ description: "`id` in the envelope: the publisher's, or ours when it gave none." }),
  subject: z.string().nullable(),
  depth: z.int().meta({ description: "1 when it comes from what the bus has made of another." }),
  causationId: z.string().nullable(),
  correlationId: z.string().nullable(),
  receivedAt: timestamp,
  routes: z.array(match).meta({ description: "The routes that it matched, and what came of it." }),
});

const busEventDetail = named("BusEventDetail", busEventSummary.extend({ event: busEvent }));

export const busEvents = defineRoutes({
  "bus-events.list": {
    method: "GET",
    path: "/api/admin/bus/events",
    access: "viewer",
    bus: true,
    summary: "List events of the bus, newest first",
    description: "Where there are very many, `pagination.total` is a lower bound.",
    query: longListQuery({
      type: z
        .string()
        .max(eventTypeMaxLength)
        .optional()
        .meta({ description: "Of this type, such as order.created." }),
      source: idParam.optional().meta({ description: "About the service with this code." }),
      agentId: idParam.optional().meta({ description: "Published by this agent." }),
      routeId: idParam.optional().meta({ description: "That matched this route." }),
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
    summary: "Get an event with its envelope and what came of it",
    params: z.object({ eventId: idParam }),
    reply: busEventDetail,
    errors: ["BUS_EVENT_NOT_FOUND"],
  },
  "bus-events.publish": {
    method: "POST",
    path: "/api/admin/bus/events",
    access: "operator",
    bus: true,
    summary: "Publish an event in the name of a service's agent",
    description:
      "As the agent of the service in `source` would: the same rules, and the same events a minute. " +
      "A repeated `source` and `id` answers 200 with the event that was there.",
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
  summary: "Events of the event bus, and what came of them (experimental)",
  lead: "What agents have published, and what each route made of it.",
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
    {
      name: "agent",
      of: "agentId",
      kind: "key",
      wide: true,
      link: { to: "agents", id: "agentId" },
    },
  ],
  empty: "No events. Agents publish them, or: platformctl events publish",
  emptyPage: "No event has been received yet. Agents publish them.",
  filters: { source: { hint: "Code of a service" } },
  examples: { get: ["events get bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -o json | jq .event"] },
});
