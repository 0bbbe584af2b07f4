// How a command looks to an operator, wherever it appears.

import { z } from "zod";
import { cancelOutcomes, commandStatuses, commandTypes } from "../../domain/commands.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { idOf, json, jsonObject, timestamp } from "../contract/schemas.ts";

export const commandType = named("CommandType", z.enum(commandTypes));
export const commandStatus = named("CommandStatus", z.enum(commandStatuses));

const commandResult = namedObject("CommandResult", {
  success: z.boolean(),
  output: json.optional(),
  error: json.optional(),
  message: z.string().optional(),
  receivedAt: timestamp,
});

const commandSource = namedObject("CommandSource", {
  kind: named("CommandSourceKind", z.enum(["operator", "bus"])),
  userId: z.string().nullable().optional(),
  name: z
    .string()
    .nullable()
    .optional()
    .meta({ description: "Of who asked for it; of the route, when the bus has made it." }),
  eventId: z.string().optional(),
  routeId: z.string().optional(),
});

const cancelOutcome = named("CancelOutcome", z.enum([...cancelOutcomes, "UNCONFIRMED"]));

/** A row of a list: without payload and result. */
export const commandSummary = namedObject("Command", {
  id: idOf("cmd"),
  type: commandType,
  status: commandStatus,
  agentId: idOf("agt"),
  agentCode: z.string(),
  serviceId: idOf("svc"),
  serviceCode: z.string(),
  action: z.string(),
  reason: z.string().nullable(),
  source: commandSource,
  prepareCommandId: idOf("cmd").nullable(),
  retryOf: idOf("cmd").nullable(),
  createdAt: timestamp,
  expiresAt: timestamp,
  startedAt: timestamp.nullable(),
  completedAt: timestamp.nullable(),
  durationMs: z.int().nullable(),
  deliveries: z.int(),
  errorCode: z.string().nullable(),
  errorMessage: z.string().nullable(),
  cancelledWhileRunning: z.boolean(),
  cancelOutcome: cancelOutcome.nullable().meta({
    description:
      "Of a command that was cancelled while it ran: whether the agent STOPPED it, it had FINISHED " +
      "by itself, did not end when told (NOT_STOPPED), or was lost with its agent (UNKNOWN). " +
      "UNCONFIRMED until the agent says so; null for every other command.",
  }),
});

/** What is answered once a command was created. */
export const createdCommand = namedObject("CreatedCommand", { command: commandSummary });

export const commandDetail = named(
  "CommandDetail",
  commandSummary.extend({
    payload: jsonObject.meta({ description: "With `[REDACTED]` in place of each secret." }),
    withheld: z.array(z.string()).meta({
      description: "JSON Pointers to the secrets in the payload. A retry needs them again.",
    }),
    result: commandResult.nullable(),
    lateResult: commandResult.nullable(),
  }),
);
