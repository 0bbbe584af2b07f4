// Routes of the event bus: which events become which commands. Experimental.

import { z } from "zod";
import { issuesOfRule, routeStates } from "../../domain/bus/bus-routes.ts";
import { maxDataClauses, maxPayloadFields, routeRuleMaxBytes } from "../../domain/limits.ts";
import { mapOf } from "../contract/bounded.ts";
import { defineNoun } from "../contract/noun.ts";
import { defineRoutes } from "../contract/route.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  code,
  deletedOf,
  idOf,
  idParam,
  json,
  jsonObject,
  pageQuery,
  searchQuery,
  someOf,
  timestamp,
} from "../contract/schemas.ts";
import { actionName } from "../shapes/reported-service.ts";
import { busEvent, matchOutcome, sentEvent } from "./event-schemas.ts";
import { replayPage, replayWindow } from "./replay-schemas.ts";

const routeState = named("BusRouteState", z.enum(routeStates));

const constant = namedObject("BusRouteConstant", { const: json });

const payloadSource = z
  .union([z.string().max(500), constant], {
    error: 'must be a JSON Pointer into the event such as /data/orderId, or { "const": … }',
  })
  .refine((from) => typeof from === "string" || from.const !== undefined, {
    error: 'a value that is always the same is written { "const": … }',
  });

const rule = {
  name: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^\P{Cc}*$/u, { error: "must be one line, without control characters" }),
  description: orAbsent(z.string().max(2000)),
  state: routeState.default("DISABLED"),
  match: namedObject("BusRouteMatchInput", {
    type: z.string().min(1).meta({ description: "Exact, or `prefix.*`." }),
    source: orAbsent(code),
    data: orAbsent(mapOf(z.string(), json, maxDataClauses, "pointers")).meta({
      description: "JSON Pointers into the event's data, each with the value there.",
    }),
  }),
  target: namedObject("BusRouteTargetInput", { serviceCode: code, action: actionName }),
  payload: orAbsent(
    mapOf(z.string().min(1).max(200), payloadSource, maxPayloadFields, "fields"),
  ).meta({
    description:
      "Each field's JSON Pointer into the event, or its constant. Absent: the payload is `{ event }`.",
  }),
};

const newRoute = named("BusRouteInput", ruleOf({}));
const changedRoute = named(
  "UpdateBusRouteRequest",
  ruleOf({
    version: z.int().min(1).meta({ description: "That of the route which this one replaces." }),
  }),
);

/** A route's body: what is right in each field, and can work, and is no book. */
function ruleOf<T extends z.ZodRawShape>(more: T) {
  return z.object({ ...rule, ...more }).superRefine((body, context) => {
    const given = body as unknown as Parameters<typeof issuesOfRule>[0];
    for (const { path, message } of issuesOfRule(given)) {
      context.addIssue({ code: "custom", path: path.split("."), message });
    }
    if (new TextEncoder().encode(JSON.stringify(body)).length <= routeRuleMaxBytes) return;
    const message = `a route may have ${routeRuleMaxBytes / 1024} KiB at most`;
    context.addIssue({ code: "custom", path: [], message });
  });
}

/** Null is as good as nothing. */
function orAbsent<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}

const route = namedObject("BusRoute", {
  id: idOf("brt"),
  name: z.string(),
  description: z.string().optional(),
  state: routeState,
  match: namedObject("BusRouteMatch", {
    type: z.string(),
    source: z.string().optional(),
    data: jsonObject.optional(),
  }),
  target: namedObject("BusRouteTarget", { serviceCode: z.string(), action: z.string() }),
  payload: z.record(z.string(), z.union([z.string(), constant])).optional(),
  version: z.int(),
  createdAt: timestamp,
  updatedAt: timestamp,
});

const savedRoute = named(
  "SavedBusRoute",
  route.extend({
    warnings: z.array(z.string()).meta({
      description: "What would hinder the route as things stand, or looks like a mistake.",
    }),
  }),
);

const testedEvent = {
  event: sentEvent.optional(),
  eventId: idParam.optional().meta({ description: "A stored event, in place of `event`." }),
};

const testBody = namedObject("TestBusRouteRequest", testedEvent).refine(givesOne, {
  error: "give event or eventId: one of them",
  path: ["event"],
});

const draftTestBody = namedObject("TestBusRouteDraftRequest", {
  route: newRoute,
  ...testedEvent,
}).refine(givesOne, {
  error: "give event or eventId: one of them",
  path: ["event"],
});

function givesOne(body: { event?: unknown; eventId?: unknown }): boolean {
  return (body.event === undefined) !== (body.eventId === undefined);
}

const testedClause = namedObject("BusRouteTestClause", {
  clause: named("BusRouteClause", z.enum(["type", "source", "data"])),
  pointer: z.string().optional(),
  expected: json,
  actual: json.optional().meta({ description: "Absent when there is nothing." }),
  matched: z.boolean(),
});

const testedCommand = namedObject("BusRouteTestCommand", {
  type: z.literal("ACTION_EXECUTE"),
  agentId: idOf("agt"),
  agentCode: z.string(),
  serviceId: idOf("svc"),
  serviceCode: z.string(),
  action: z.string(),
  payload: jsonObject,
  timeoutSeconds: z.int(),
});

const testResult = namedObject("BusRouteTestResult", {
  matched: z.boolean(),
  clauses: z.array(testedClause),
  outcome: matchOutcome
    .nullable()
    .meta({ description: "Null when it does not match. Of a DISABLED route: were it enabled." }),
  reason: z.string().nullable().meta({ description: "Why it would fail." }),
  command: testedCommand
    .nullable()
    .meta({ description: "The command that would be made, in DRY_RUN too." }),
  event: busEvent.meta({
    description: "As it was tested: secrets redacted, id and time filled in.",
  }),
});

const replayBody = named(
  "ReplayBusRouteRequest",
  z
    .object({
      route: newRoute.optional().meta({ description: "One that is not saved." }),
      routeId: idParam.optional().meta({ description: "A saved one, in place of `route`." }),
      ...replayWindow,
    })
    .refine((body) => (body.route === undefined) !== (body.routeId === undefined), {
      error: "give route or routeId: one of them",
      path: ["route"],
    })
    .refine(({ from, to }) => to === undefined || from < to, {
      error: "must be later than from",
      path: ["to"],
    }),
);

const routeParams = z.object({ routeId: idParam });

export const busRoutes = defineRoutes({
  "bus-routes.list": {
    method: "GET",
    path: "/api/admin/bus/routes",
    access: "viewer",
    bus: true,
    summary: "List routes of the bus, newest first",
    query: z.object({
      ...pageQuery,
      state: someOf(routeState).meta({ description: "With any of these, separated by commas." }),
      q: searchQuery,
    }),
    reply: z.array(route),
    paginated: true,
  },
  "bus-routes.create": {
    method: "POST",
    path: "/api/admin/bus/routes",
    access: "operator",
    bus: true,
    summary: "Create a route, DISABLED unless it says otherwise",
    body: newRoute,
    status: 201,
    idempotent: true,
    reply: savedRoute,
  },
  "bus-routes.test-draft": {
    method: "POST",
    path: "/api/admin/bus/routes/test",
    access: "viewer",
    bus: true,
    summary: "Say what a route that is not saved would do with an event; writes nothing",
    body: draftTestBody,
    reply: testResult,
    errors: ["BUS_EVENT_NOT_FOUND"],
  },
  "bus-routes.replay": {
    method: "POST",
    path: "/api/admin/bus/routes/replay",
    access: "viewer",
    bus: true,
    summary: "Say what a route would have done with the events of a window; writes nothing",
    description:
      "A page at a time, oldest first: ask again with `nextCursor` until it is null. The route and its " +
      "target are taken as they stand at each call, not as they were when the events came in. A page " +
      "ends at `limit` events, or earlier when it takes long or grows large.",
    body: replayBody,
    reply: replayPage,
    errors: ["BUS_ROUTE_NOT_FOUND"],
  },
  "bus-routes.get": {
    method: "GET",
    path: "/api/admin/bus/routes/:routeId",
    access: "viewer",
    bus: true,
    summary: "Get a route",
    params: routeParams,
    reply: route,
    errors: ["BUS_ROUTE_NOT_FOUND"],
  },
  "bus-routes.update": {
    method: "PUT",
    path: "/api/admin/bus/routes/:routeId",
    access: "operator",
    bus: true,
    summary: "Replace a route, if it is still in the version that was seen",
    description:
      "What is left out goes back to its default: a route without `state` becomes DISABLED.",
    params: routeParams,
    body: changedRoute,
    reply: savedRoute,
    errors: ["BUS_ROUTE_NOT_FOUND", "VERSION_CONFLICT"],
  },
  "bus-routes.delete": {
    method: "DELETE",
    path: "/api/admin/bus/routes/:routeId",
    access: "operator",
    bus: true,
    summary: "Delete a route; the commands that it made stay",
    params: routeParams,
    reply: named("DeletedBusRoute", deletedOf("brt")),
    errors: ["BUS_ROUTE_NOT_FOUND"],
  },
  "bus-routes.test": {
    method: "POST",
    path: "/api/admin/bus/routes/:routeId/test",
    access: "viewer",
    bus: true,
    summary: "Say what a route would do with an event; writes nothing",
    params: routeParams,
    body: testBody,
    reply: testResult,
    errors: ["BUS_ROUTE_NOT_FOUND", "BUS_EVENT_NOT_FOUND"],
  },
});

export const busRouteNoun = defineNoun("bus-routes", busRoutes, {
  group: "routes",
  one: "bus route",
  title: "Routes",
  summary: "Routes of the event bus: which events become which commands (experimental)",
  lead: "Which events become which commands. A route makes at most one command from an event.",
  prefix: "brt",
  name: "name",
  about: "state",
  columns: [
    { name: "name", of: "name", kind: "key" },
    { name: "state", of: "state", kind: "state" },
    { name: "type", of: "match.type", label: "Event type" },
    { name: "source", of: "match.source", wide: "terminal" },
    { name: "target", of: { cell: "routeTarget" }, label: "Runs" },
    { name: "updated", of: "updatedAt", kind: "time" },
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "version", of: "version", kind: "number", wide: true },
    { name: "created", of: "createdAt", kind: "time", wide: true },
    { name: "description", of: "description", wide: true },
  ],
  empty: "No routes. Create one: platformctl routes create -f route.yaml",
  emptyPage:
    "There is no route yet. Create one, test it, and put it in dry run before you enable it.",
  filters: {
    state: { options: { DISABLED: "Disabled", DRY_RUN: "Dry run", ENABLED: "Enabled" } },
    q: { hint: "Name" },
  },
  acts: {
    delete: {
      asks: "Delete the route {title}? The commands that it made stay.",
      happens: [
        "It makes no more commands. The commands that it made stay, and events keep its name. This cannot be undone.",
      ],
      done: "{title} is deleted.",
      danger: true,
    },
  },
  examples: {
    list: ["routes list --state ENABLED"],
    get: ["routes get rotate-full-logs -o yaml > route.yaml"],
  },
});
