import { z } from "zod";
import { commandWaitSecondsMax } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { named, namedObject } from "./contract/schema-names.ts";
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
  confirmation: z
    .boolean()
    .default(false)
    .describe("Confirms the action, if it requires confirmation."),
  secrets: z
    .record(z.string(), json)
    .default({})
    .describe(
      "The secrets in the payload, by JSON Pointer. Must contain each pointer that the original " +
        "command lists in `withheld`.",
    ),
  breakGlass,
});

const one = {
  params: z.object({ commandId: idParam.describe("The command's id.") }),
  errors: ["COMMAND_NOT_FOUND"],
} as const;

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
        "Only commands for services whose labels match this selector, such as `region=eu,tier in (web,api)`.",
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
    summary:
      "Get a command; with `wait`, the server responds only when the command has ended or the time is up",
    query: z.object({
      wait: wholeNumberQuery(0, commandWaitSecondsMax, 0).describe(
        "The maximum number of seconds to wait for the command to end.",
      ),
      // With a flag, which has a default, the route would not be `simple`.
      secret: named("CommandSecretUse", z.enum(["take", "keep"]))
        .optional()
        .describe(
          "Whether this call takes the one-time secret in the result (`take`, the default) or leaves it for a later call (`keep`).",
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
    summary: "Get the output of a command, even while it runs",
    description:
      "Each response has a limited number of parts. To get all of them, repeat the call with " +
      "a new `after` until `complete` is true. With `wait`, the server responds only when " +
      "there is output beyond `after`, the command has ended, or the time is up.",
    query: z.object({
      after: wholeNumberQuery(0, Number.MAX_SAFE_INTEGER, 0).describe(
        "Only output after this position. Pass the `nextOffset` of the previous response.",
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
    summary: "Run the action of a FAILED or CANCELLED command again, as a new command",
    description:
      "The new command has the same `expectedState`. If the old command ended with STATE_CHANGED, the new one therefore runs only if the service is in the earlier state again. If the service has moved to another agent, such a retry is refused with PREPARE_UNUSABLE, because only the agent that reported a state can compare it.",
    query: queueQuery,
    body: retryBody,
    status: 202,
    idempotent: true,
    reply: createdCommand,
    errors: [
      ...executionErrors,
      "COMMAND_NOT_RETRYABLE",
      "PREPARE_UNUSABLE",
      "PAYLOAD_NEEDS_SECRETS",
    ],
  },
});
