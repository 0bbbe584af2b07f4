import { z } from "zod";
import { commandWaitSecondsMax } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { defineNoun } from "./contract/noun.ts";
import { namedObject } from "./contract/schema-names.ts";
import {
  idParam,
  json,
  longListNote,
  longListQuery,
  queueQuery,
  selectorQuery,
  someOf,
  timeSpanQuery,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import { breakGlass } from "./shapes/approval-schemas.ts";
import {
  commandDetail,
  commandStatus,
  commandSummary,
  commandType,
  createdCommand,
  executionErrors,
} from "./shapes/command-schemas.ts";
import { commandOutputPage } from "./shapes/output-schemas.ts";

const retryBody = namedObject("RetryCommandRequest", {
  confirmation: z.boolean().default(false),
  secrets: z
    .record(z.string(), json)
    .default({})
    .describe(
      "The secrets in the payload, by JSON Pointer. `withheld` lists the required pointers.",
    ),
  breakGlass,
});

const one = { params: z.object({ commandId: idParam }), errors: ["COMMAND_NOT_FOUND"] } as const;

export const commands = defineRoutes({
  "commands.list": {
    method: "GET",
    path: "/api/admin/commands",
    access: "viewer",
    summary: "List commands, newest first",
    description: longListNote,
    query: longListQuery({
      status: someOf(commandStatus),
      type: someOf(commandType).describe(
        "One or more types, separated by commas; ACTION_EXECUTE by default.",
      ),
      action: z.string().max(100).optional().describe("Only commands that run this action."),
      agentId: idParam.optional().describe("Only commands for this agent (id or code)."),
      serviceId: idParam.optional().describe("Only commands for this service (id or code)."),
      eventId: idParam.optional().describe("Only commands that the bus created from this event."),
      routeId: idParam.optional().describe("Only commands that the bus created for this route."),
      rolloutId: idParam.optional().describe("Only commands that this rollout created."),
      selector: selectorQuery.describe(
        "Only commands for services whose labels match, such as `region=eu,tier in (web,api)`.",
      ),
      ...timeSpanQuery,
    }),
    reply: z.array(commandSummary),
    paginated: true,
  },
  "commands.get": {
    ...one,
    method: "GET",
    path: "/api/admin/commands/:commandId",
    access: "viewer",
    summary: "Get a command; with `wait`, the response waits until the command has ended",
    query: z.object({
      wait: wholeNumberQuery(0, commandWaitSecondsMax, 0).describe(
        "The maximum number of seconds to wait for the command to end.",
      ),
    }),
    holdsSecret: true,
    reply: commandDetail,
  },
  "commands.output": {
    ...one,
    method: "GET",
    path: "/api/admin/commands/:commandId/output",
    access: "viewer",
    summary: "Get the output of a command, also while it runs",
    description:
      "Each response has a limited number of parts: continue with `after` until `complete`. With " +
      "`wait`, the response waits until there is output after `after`, or the command has ended.",
    query: z.object({
      after: wholeNumberQuery(0, Number.MAX_SAFE_INTEGER, 0).describe(
        "Only output after this position, the `nextOffset` of the previous response.",
      ),
      wait: wholeNumberQuery(0, commandWaitSecondsMax, 0).describe(
        "The maximum number of seconds to wait for output or for the command to end.",
      ),
    }),
    reply: commandOutputPage,
  },
  "commands.cancel": {
    ...one,
    method: "POST",
    path: "/api/admin/commands/:commandId/cancel",
    access: "operator",
    summary: "Cancel a command that has not ended",
    reply: commandDetail,
    errors: ["COMMAND_NOT_FOUND", "COMMAND_ALREADY_COMPLETED"],
  },
  "commands.retry": {
    ...one,
    method: "POST",
    path: "/api/admin/commands/:commandId/retry",
    access: "operator",
    summary: "Run a FAILED or CANCELLED action again, as a new command",
    description:
      "A command that has `expectedState` keeps it, so after STATE_CHANGED it succeeds only if the " +
      "state is as before again.",
    query: queueQuery,
    body: retryBody,
    status: 202,
    idempotent: true,
    reply: createdCommand,
    errors: [...executionErrors, "COMMAND_NOT_RETRYABLE", "PAYLOAD_NEEDS_SECRETS"],
  },
});

const types = { ACTION_PREPARE: "Prepare", ACTION_EXECUTE: "Run" };

export const commandNoun = defineNoun("commands", commands, {
  one: "command",
  summary: "Commands for agents, and their results",
  lead: "Every action that was run, who ran it, and how it ended. Requests for an action's form and state have the type Prepare.",
  prefix: "cmd",
  about: { cell: "commandSummary" },
  opens: "action",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "status", of: "status", kind: "state" },
    { name: "service", of: "serviceCode", link: { to: "services", id: "serviceId" } },
    { name: "action", of: "action" },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "took", of: { cell: "commandDuration" }, kind: "number", label: "Duration" },
    { name: "error", of: "errorCode" },
    { name: "message", of: "errorMessage", wide: true },
    // Never truncated, because truncated types look alike.
    { name: "type", of: "type", kind: "key", values: types },
    { name: "agent", of: "agentCode", wide: "terminal", link: { to: "agents", id: "agentId" } },
    { name: "by", of: { cell: "commandMaker" }, wide: "terminal", label: "Created by" },
    { name: "event", of: "source.eventId", kind: "key", wide: true, link: { to: "bus-events" } },
    { name: "route", of: "source.routeId", kind: "key", wide: true, link: { to: "bus-routes" } },
    { name: "rollout", of: "source.rolloutId", kind: "key", wide: true, link: { to: "rollouts" } },
    {
      name: "schedule",
      of: "source.scheduleId",
      kind: "key",
      wide: true,
      link: { to: "schedules" },
    },
    { name: "reason", of: "reason", wide: true },
    { name: "cancelled", of: "cancelOutcome", wide: true },
    { name: "deliveries", of: "deliveries", kind: "number", wide: true },
    { name: "retry of", of: "retryOf", kind: "key", wide: true, link: { to: "commands" } },
    { name: "if state", of: "expectedState", kind: "key", wide: true },
  ],
  facts: ["service", "created", "error"],
  empty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
  emptyPage: "No action has been run yet. Open a service and choose one of its actions.",
  filters: {
    type: {
      options: {
        "": types.ACTION_EXECUTE,
        ACTION_PREPARE: types.ACTION_PREPARE,
        "ACTION_EXECUTE,ACTION_PREPARE": "Both",
      },
      all: "ACTION_EXECUTE,ACTION_PREPARE",
    },
    action: { hint: "Its name" },
  },
  acts: {
    cancel: {
      completes: "open-command",
      verb: "Cancel command",
      keep: "Keep command",
      happens: {
        PENDING: ["The agent has not fetched the command yet. Once cancelled, it never runs."],
        RUNNING: [
          "The agent is running the command, and may still finish it. A result that arrives after the cancellation is kept as a late result and does not change the command's status.",
        ],
      },
      done: "The command is cancelled.",
      when: { status: ["PENDING", "RUNNING"] },
      danger: true,
    },
  },
  examples: {
    list: ["commands list --status FAILED --from 24h", "commands list --all -o jsonl"],
  },
});
