// Events of the bus as operators see them, and may publish them. Experimental.

import { z } from "zod";
import { eventTypeMaxLength, matchOutcomes } from "../../domain/bus/bus-events.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { defineRoutes } from "../contract/route.ts";
import { idOf, idParam, longListQuery, timeQuery, timestamp } from "../contract/schemas.ts";
import { commandStatus } from "../shapes/command-schemas.ts";
import { busEvent, cloudEventTypes, sentEvent } from "./event-schemas.ts";

const match = z.object({
  routeId: idOf("brt"),
  routeName: z.string().optional().meta({ description: "Now, or when the route was last there." }),
  routeDeleted: z.literal(true).optional(),
  outcome: z.enum(matchOutcomes),
  commandId: idOf("cmd").optional(),
  commandStatus: commandStatus.optional().meta({ description: "Of the command now." }),
  reason: z.string().optional().meta({ description: "Why there is no command." }),
});

/** A row of a list: without the event's data. */
const busEventSummary = z.object({
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

const busEventDetail = busEventSummary.extend({ event: busEvent });

export const busEvents = defineRoutes({
  "bus-events.list": {
    method: "GET",
    path: "/api/admin/bus/events",
    access: "viewer",
    bus: true,
    summary: "List events of the bus, newest first",
    description: "Where there are very many, `pagination.total` is a lower bound.",
    query: longListQuery({
      type: z.string().max(eventTypeMaxLength).optional(),
      source: idParam.optional(),
      agentId: idParam.optional(),
      routeId: idParam.optional().meta({ description: "Events that matched this route." }),
      from: timeQuery,
      to: timeQuery,
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
    reply: busEventDetail.extend({ duplicate: z.boolean() }),
    errors: ["BUS_SOURCE_NOT_FOUND", "BUS_DEPTH_EXCEEDED", "BUS_RATE_LIMITED"],
  },
});
