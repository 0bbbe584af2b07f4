// Commands as operators see them.

import { z } from "zod";
import { commandStatuses, commandTypes } from "../domain/commands.ts";
import { commandWaitSecondsMax } from "../domain/limits.ts";
import { defineRoutes } from "./contract/route.ts";
import {
  flagQuery,
  idParam,
  json,
  longListQuery,
  someOf,
  timeQuery,
  wholeNumberQuery,
} from "./contract/schemas.ts";
import { commandDetail, commandSummary } from "./shapes/command-schemas.ts";

export const commands = defineRoutes({
  "commands.list": {
    method: "GET",
    path: "/api/admin/commands",
    access: "viewer",
    summary: "List commands, newest first",
    description: "Where there are very many, `pagination.total` is a lower bound.",
    query: longListQuery({
      status: someOf(commandStatuses).meta({ description: "With one of these." }),
      type: someOf(commandTypes).meta({
        description: "Of one of these types; without it, prepares are left out.",
      }),
      action: z.string().max(100).optional(),
      agentId: idParam.optional(),
      serviceId: idParam.optional(),
      eventId: idParam.optional().meta({ description: "Made by the bus, of this event." }),
      routeId: idParam.optional().meta({ description: "Made by the bus, over this route." }),
      from: timeQuery,
      to: timeQuery,
    }),
    reply: z.array(commandSummary),
    paginated: true,
  },
  "commands.get": {
    method: "GET",
    path: "/api/admin/commands/:commandId",
    access: "viewer",
    summary: "Get a command; `wait` holds the answer until it has ended",
    params: z.object({ commandId: idParam }),
    query: z.object({
      wait: wholeNumberQuery(0, commandWaitSecondsMax, 0).meta({
        description: "Seconds; answers earlier when the command reaches its end.",
      }),
    }),
    hasEffects: true,
    reply: commandDetail,
    errors: ["COMMAND_NOT_FOUND"],
  },
  "commands.cancel": {
    method: "POST",
    path: "/api/admin/commands/:commandId/cancel",
    access: "operator",
    summary: "Cancel a command that has not ended; the first writer wins",
    params: z.object({ commandId: idParam }),
    reply: commandDetail,
    errors: ["COMMAND_NOT_FOUND", "COMMAND_ALREADY_COMPLETED"],
  },
  "commands.retry": {
    method: "POST",
    path: "/api/admin/commands/:commandId/retry",
    access: "operator",
    summary: "Run a FAILED or CANCELLED execution again, as a new command",
    params: z.object({ commandId: idParam }),
    query: z.object({
      queue: flagQuery.meta({
        description: "Create the command although the agent is offline; it waits until it expires.",
      }),
    }),
    body: z.object({
      confirmation: z.boolean().default(false),
      secrets: z.record(z.string(), json).default({}).meta({
        description: "By JSON Pointer: the secrets in the payload, as `withheld` names them.",
      }),
    }),
    status: 202,
    idempotent: true,
    reply: z.object({ command: commandSummary }),
    errors: [
      "COMMAND_NOT_FOUND",
      "COMMAND_NOT_RETRYABLE",
      "SERVICE_NOT_FOUND",
      "ACTION_NOT_FOUND",
      "CONFIRMATION_REQUIRED",
      "PAYLOAD_NEEDS_SECRETS",
      "PAYLOAD_INVALID",
      "AGENT_OFFLINE",
      "AGENT_DISABLED",
    ],
  },
});
