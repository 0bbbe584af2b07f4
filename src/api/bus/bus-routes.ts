import { z } from "zod";
import { issuesOfRule, routeStates } from "../../domain/bus/bus-routes.ts";
import {
  maxDataClauses,
  maxPayloadFields,
  routeRuleMaxBytes,
  workLimits,
} from "../../domain/limits.ts";
import { mapOf } from "../contract/bounded.ts";
import { defineRoutes } from "../contract/define-routes.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import {
  code,
  deletedOf,
  exactlyOne,
  idOf,
  idParam,
  json,
  jsonObject,
  oneLineName,
  orAbsent,
  pageQuery,
  searchQuery,
  someOf,
  sortQuery,
  timestamp,
} from "../contract/schemas.ts";
import { declaredIn } from "../shapes/declared-in.ts";
import { actionName } from "../shapes/reported-service.ts";
import { busEvent, matchOutcome, matchOutcomeNote, sentEvent } from "./event-schemas.ts";
import { replayPage, replayWindow } from "./replay-schemas.ts";

const routeState = named(
  "BusRouteState",
  z
    .enum(routeStates)
    .describe(
      "ENABLED: the route creates commands. DRY_RUN: it only records what it would do. DISABLED: it ignores all events.",
    ),
);

const constant = namedObject("BusRouteConstant", { const: json.describe("The value itself.") });

const payloadSource = z
  .union([z.string().max(500), constant], {
    error: 'must be a JSON Pointer into the event, such as /data/orderId, or { "const": … }',
  })
  .refine((from) => typeof from === "string" || from.const !== undefined, {
    error: 'write a constant value as { "const": … }',
  });

const rule = {
  name: oneLineName,
  description: orAbsent(z.string().max(2000)).describe("What the route is for."),
  state: routeState.default("DISABLED"),
  match: namedObject("BusRouteMatchInput", {
    type: z
      .string()
      .min(1)
      .describe("An event type, or a prefix followed by `*`, such as `order.*`."),
    source: orAbsent(code).describe("The code of the service that the event must be about."),
    data: orAbsent(mapOf(z.string(), json, maxDataClauses, "pointers")).describe(
      "The values that the event's data must have. The keys are JSON Pointers into the data.",
    ),
  }).describe("The conditions that an event must meet."),
  target: namedObject("BusRouteTargetInput", {
    serviceCode: code.describe("The code of the service on which to run the action."),
    action: actionName.describe("The name of the action."),
  }).describe("What the route runs."),
  payload: orAbsent(
    mapOf(z.string().min(1).max(200), payloadSource, maxPayloadFields, "fields"),
  ).describe(
    "The source of each payload field: a JSON Pointer into the event, or a constant. By " +
      "default, the payload is `{ event }`.",
  ),
};

const newRoute = named("BusRouteInput", ruleOf({}));
const changedRoute = named(
  "UpdateBusRouteRequest",
  ruleOf({
    version: z.int().min(1).describe("The version of the route that this request replaces."),
  }),
);

function ruleOf<T extends z.ZodRawShape>(more: T) {
  return z.object({ ...rule, ...more }).superRefine((body, context) => {
    const route = body as unknown as Parameters<typeof issuesOfRule>[0];
    for (const { path, message } of issuesOfRule(route)) {
      context.addIssue({ code: "custom", path: path.split("."), message });
    }
    if (new TextEncoder().encode(JSON.stringify(body)).length <= routeRuleMaxBytes) return;
    const message = `a route can have at most ${routeRuleMaxBytes / 1024} KiB`;
    context.addIssue({ code: "custom", path: [], message });
  });
}

const route = namedObject("BusRoute", {
  id: idOf("brt"),
  name: z.string(),
  description: z
    .string()
    .optional()
    .describe("What the route is for. Absent if it has no description."),
  state: routeState,
  match: namedObject("BusRouteMatch", {
    type: z.string().describe("An event type, or a prefix followed by `*`."),
    source: z.string().optional().describe("The code of the service that the event must be about."),
    data: jsonObject.optional().describe("The values in the event's data, by JSON Pointer."),
  }).describe("The conditions that an event must meet."),
  target: namedObject("BusRouteTarget", {
    serviceCode: z.string().describe("The code of the service on which to run the action."),
    action: z.string().describe("The name of the action."),
  }).describe("What the route runs."),
  payload: z
    .record(z.string(), z.union([z.string(), constant]))
    .optional()
    .describe("Secret constants are shown as `[REDACTED]`."),
  withheld: z
    .array(z.string())
    .describe(
      "JSON Pointers to the secrets, which are shown as `[REDACTED]`. To keep a secret, an " +
        "update can send `[REDACTED]` in its place. The secret is kept if the update does not " +
        "change what runs, or if the caller supplied the secret and the target stays the same.",
    ),
  declared: z
    .string()
    .optional()
    .describe("The set of declarations that contains the route; the same as `declaredIn.set`."),
  declaredIn,
  version: z.int().describe("Increases with every change. Send it with an update."),
  createdAt: timestamp,
  updatedAt: timestamp.describe("When the route was last changed."),
});

const savedRoute = named(
  "SavedBusRoute",
  route.extend({
    warnings: z
      .array(z.string())
      .describe("Reasons why the route would currently fail, and likely mistakes in it."),
  }),
);

const testedEvent = {
  event: sentEvent.optional().describe("The event to test with."),
  eventId: idParam.optional().describe("The id of a stored event, instead of `event`."),
};

const testBody = namedObject("TestBusRouteRequest", testedEvent).refine(
  ...exactlyOne("event", "eventId"),
);

const draftTestBody = namedObject("TestBusRouteDraftRequest", {
  route: newRoute.describe("The route to test, which need not be saved."),
  ...testedEvent,
}).refine(...exactlyOne("event", "eventId"));

const testedClause = namedObject("BusRouteTestClause", {
  clause: named("BusRouteClause", z.enum(["type", "source", "data"])).describe(
    "The part of the route's `match` to which the condition belongs.",
  ),
  pointer: z.string().optional().describe("The place in the event's data, as a JSON Pointer."),
  expected: json.describe("The value that the route requires."),
  actual: json
    .optional()
    .describe("The event's value at this place. Absent if the event has no value there."),
  matched: z.boolean().describe("Whether the event matches."),
});

const testedCommand = namedObject("BusRouteTestCommand", {
  type: z.literal("ACTION_EXECUTE"),
  agentId: idOf("agt").describe("The agent that would run the command."),
  agentCode: z.string(),
  serviceId: idOf("svc").describe("The service on which the action would run."),
  serviceCode: z.string(),
  action: z.string().describe("The name of the action."),
  payload: jsonObject.describe("The payload, with `[REDACTED]` in place of each secret."),
  timeoutSeconds: z.int().describe("How long the action may run."),
});

const testResult = namedObject("BusRouteTestResult", {
  matched: z.boolean().describe("Whether the event matches."),
  clauses: z.array(testedClause).describe("The conditions of the route."),
  outcome: matchOutcome.nullable().describe(matchOutcomeNote),
  reason: z.string().nullable().describe("Why the route would fail."),
  command: testedCommand
    .nullable()
    .describe(
      "The command that the route would create. It is also present if the outcome is DRY_RUN.",
    ),
  event: busEvent.describe(
    "The tested event, with secrets redacted, and with defaults for a missing id or time.",
  ),
});

const replayBody = named(
  "ReplayBusRouteRequest",
  z
    .object({
      route: newRoute.optional().describe("A route to test, which need not be saved."),
      routeId: idParam.optional().describe("The id of a saved route, instead of `route`."),
      ...replayWindow,
    })
    .refine(...exactlyOne("route", "routeId"))
    .refine(({ from, to }) => to === undefined || from < to, {
      error: "must be later than from",
      path: ["to"],
    }),
);

export const busRouteDeclaration = ruleOf({ kind: z.literal("BusRoute") });

const viewer = { access: "viewer", bus: true } as const;
/** Events and schemas can be large. Real events may contain numbers that JavaScript rounds. */
const tests = { workLimit: workLimits.replay, heavy: true, mayRound: true } as const;
const operator = { access: "operator", bus: true } as const;
const one = {
  params: z.object({ routeId: idParam.describe("The route's id.") }),
  errors: ["BUS_ROUTE_NOT_FOUND"],
} as const;

export const busRoutes = defineRoutes({
  "bus-routes.list": {
    ...viewer,
    method: "GET",
    path: "/api/admin/bus/routes",
    summary: "List routes of the bus, newest first",
    query: z.object({
      ...pageQuery,
      sort: sortQuery(["name", "updatedAt", "createdAt"]),
      state: someOf(routeState),
      q: searchQuery,
    }),
    reply: z.array(route),
    paginated: true,
  },
  "bus-routes.create": {
    ...operator,
    method: "POST",
    path: "/api/admin/bus/routes",
    summary: "Create a route, which is DISABLED by default",
    body: newRoute,
    status: 201,
    idempotent: true,
    reply: savedRoute,
    errors: ["PAYLOAD_NEEDS_SECRETS"],
  },
  "bus-routes.test-draft": {
    ...viewer,
    method: "POST",
    changesNothing: true,
    path: "/api/admin/bus/routes/test",
    summary: "Test an unsaved route with an event, without changing anything",
    body: draftTestBody,
    ...tests,
    reply: testResult,
    errors: ["BUS_EVENT_NOT_FOUND"],
  },
  "bus-routes.replay": {
    ...viewer,
    method: "POST",
    changesNothing: true,
    path: "/api/admin/bus/routes/replay",
    summary: "Test a route with all events of a time window, without changing anything",
    description:
      "Each response is one page, with the oldest events first. Repeat the request with the " +
      "`nextCursor` of the response as `cursor`, until `nextCursor` is null. Each request " +
      "uses the route and target in their current state, not as they were when the events " +
      "arrived. A page ends after `limit` events, or earlier if it takes too long or becomes " +
      "too large.",
    body: replayBody,
    ...tests,
    reply: replayPage,
    errors: ["BUS_ROUTE_NOT_FOUND"],
  },
  "bus-routes.get": {
    ...viewer,
    ...one,
    method: "GET",
    path: "/api/admin/bus/routes/:routeId",
    summary: "Get a route",
    reply: route,
  },
  "bus-routes.update": {
    ...operator,
    ...one,
    method: "PUT",
    path: "/api/admin/bus/routes/:routeId",
    summary: "Replace a route if `version` is still its current version",
    description:
      "Omitted fields are reset to their defaults: a route without `state` becomes DISABLED.",
    body: changedRoute,
    reply: savedRoute,
    errors: ["BUS_ROUTE_NOT_FOUND", "VERSION_CONFLICT", "PAYLOAD_NEEDS_SECRETS"],
  },
  "bus-routes.delete": {
    ...operator,
    ...one,
    method: "DELETE",
    path: "/api/admin/bus/routes/:routeId",
    summary: "Delete a route, but not the commands that it created",
    reply: named("DeletedBusRoute", deletedOf("brt")),
  },
  "bus-routes.test": {
    ...viewer,
    ...one,
    method: "POST",
    changesNothing: true,
    path: "/api/admin/bus/routes/:routeId/test",
    summary: "Test a route with an event, without changing anything",
    body: testBody,
    ...tests,
    reply: testResult,
    errors: ["BUS_ROUTE_NOT_FOUND", "BUS_EVENT_NOT_FOUND"],
  },
});
