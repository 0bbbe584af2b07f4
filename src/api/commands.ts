// Commands as operators see them.

import { z } from "zod";
import { commandStatuses, commandTypes } from "../domain/commands.ts";
import { commandWaitSecondsMax } from "../domain/limits.ts";
import { defineNoun } from "./contract/noun.ts";
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
      status: someOf(commandStatuses).meta({
        description: "With any of these, separated by commas.",
      }),
      type: someOf(commandTypes).meta({
        description:
          "Of any of these types, separated by commas; ACTION_EXECUTE alone when absent.",
      }),
      action: z.string().max(100).optional().meta({ description: "Of this action." }),
      agentId: idParam.optional().meta({ description: "Of this agent." }),
      serviceId: idParam.optional().meta({ description: "Of this service." }),
      eventId: idParam.optional().meta({ description: "Made by the bus from this event." }),
      routeId: idParam.optional().meta({ description: "Made by the bus for this route." }),
      from: timeQuery.meta({ description: "Created at this time or later." }),
      to: timeQuery.meta({ description: "Created before this time." }),
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

export const commandNoun = defineNoun("commands", commands, {
  one: "command",
  summary: "Commands for agents, and their results",
  prefix: "cmd",
  about: { cell: "commandSummary" },
  columns: [
    { name: "id", of: "id", kind: "key" },
    { name: "status", of: "status", kind: "state" },
    { name: "service", of: "serviceCode" },
    { name: "action", of: "action" },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "took", of: { cell: "commandDuration" } },
    { name: "error", of: "errorCode" },
    // A key because, cut short, one type looks like the other.
    { name: "type", of: "type", kind: "key" },
    { name: "agent", of: "agentCode", wide: true },
    { name: "message", of: "errorMessage", wide: true },
    { name: "by", of: { cell: "commandMaker" }, wide: true },
    { name: "event", of: "source.eventId", kind: "key", wide: true },
    { name: "route", of: "source.routeId", kind: "key", wide: true },
    { name: "reason", of: "reason", wide: true },
    { name: "cancelled", of: "cancelOutcome", wide: true },
    { name: "deliveries", of: "deliveries", wide: true },
    { name: "retry of", of: "retryOf", kind: "key", wide: true },
  ],
  empty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
  acts: { cancel: { completes: "open-command" } },
  examples: {
    list: ["commands list --status FAILED --from 24h", "commands list --all -o jsonl"],
  },
});
