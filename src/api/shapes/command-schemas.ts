import { z } from "zod";
import { cancelOutcomes, commandStatuses, commandTypes } from "../../domain/commands/commands.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { idOf, json, jsonObject, timestamp } from "../contract/schemas.ts";
import { approvalSummary } from "./approval-schemas.ts";

export const commandType = named(
  "CommandType",
  z
    .enum(commandTypes)
    .describe(
      "ACTION_PREPARE: asks the agent for the action's form and current state. ACTION_EXECUTE: runs the action.",
    ),
);
export const commandStatus = named(
  "CommandStatus",
  z
    .enum(commandStatuses)
    .describe(
      "PENDING: the agent has not fetched the command yet. RUNNING: the command was delivered, and has not ended.",
    ),
);

const commandResult = namedObject("CommandResult", {
  success: z.boolean().describe("Whether the command succeeded."),
  output: json.optional().describe("The output, with secrets redacted."),
  error: json.optional().describe("The error, usually with `code`, `message` and `details`."),
  message: z.string().optional().describe("A message for people."),
  other: jsonObject.optional().describe("Further fields that the agent sent."),
  receivedAt: timestamp.describe("When the server received the result."),
});

const commandSource = namedObject("CommandSource", {
  kind: named("CommandSourceKind", z.enum(["operator", "bus", "rollout", "schedule"])).describe(
    "What created the command: a call (`operator`), a route of the event bus, a rollout or a schedule.",
  ),
  userId: z
    .string()
    .nullable()
    .optional()
    .describe("The id of the user or API key that made the call. Null for a caller with `--db`."),
  name: z
    .string()
    .nullable()
    .optional()
    .describe(
      "The name of the caller, route or schedule that created the command. For a rollout, this " +
        "is the name of the rollout's creator.",
    ),
  eventId: z.string().optional().describe("The event for which the route created the command."),
  routeId: z.string().optional().describe("The route that created the command."),
  rolloutId: z.string().optional().describe("The rollout that created the command."),
  scheduleId: z.string().optional().describe("The schedule that created the command."),
});

const cancelOutcome = named("CancelOutcome", z.enum([...cancelOutcomes, "UNCONFIRMED"]));

export const commandSummary = namedObject("Command", {
  id: idOf("cmd"),
  type: commandType,
  status: commandStatus,
  agentId: idOf("agt").describe("The agent that runs the command."),
  agentCode: z.string(),
  serviceId: idOf("svc").describe("The service for which the action runs or is prepared."),
  serviceCode: z.string(),
  action: z.string().describe("The name of the action."),
  reason: z
    .string()
    .nullable()
    .describe("Why the command was created, in the words of the operator."),
  source: commandSource.describe("Who or what created the command."),
  prepareCommandId: idOf("cmd")
    .nullable()
    .describe("The prepare command whose form this command uses, if any."),
  retryOf: idOf("cmd").nullable().describe("The command that this command retries, if any."),
  expectedState: z
    .string()
    .nullable()
    .describe(
      "The fingerprint of the only state in which the agent runs the command. In any other " +
        "state, the command fails with STATE_CHANGED. Null if the state is not checked.",
    ),
  createdAt: timestamp,
  expiresAt: timestamp.describe("When the command expires if its agent has not fetched it."),
  startedAt: timestamp
    .nullable()
    .describe("When the command was delivered to the agent. Null before that."),
  completedAt: timestamp.nullable().describe("When the command ended. Null before that."),
  durationMs: z
    .int()
    .nullable()
    .describe(
      "`completedAt` minus `startedAt`. Null if the command was never delivered, or has not ended.",
    ),
  deliveries: z.int().describe("How often the command was delivered to the agent."),
  errorCode: z.string().nullable().describe("Why the command FAILED. Null otherwise."),
  errorMessage: z
    .string()
    .nullable()
    .describe("Null if there is no error, or if the agent reported no message."),
  cancelledWhileRunning: z
    .boolean()
    .describe("Whether the command was cancelled after it had been delivered."),
  cancelOutcome: cancelOutcome
    .nullable()
    .describe(
      "What became of a command that was cancelled while it ran. STOPPED: the agent stopped " +
        "it. FINISHED: it had already finished. NOT_STOPPED: the agent could not stop it. " +
        "UNKNOWN: the agent has restarted and does not know. UNCONFIRMED: the agent has not " +
        "reported the outcome yet. Null for all other commands.",
    ),
});

export const createdCommand = namedObject("CreatedCommand", {
  command: commandSummary
    .nullable()
    .describe("The new command. Null if a policy requires approval first."),
  approval: approvalSummary
    .nullable()
    .describe("The request for approval. Null if the command was created."),
});

export const executionErrors = [
  "SERVICE_NOT_FOUND",
  "ACTION_NOT_FOUND",
  "COMMAND_NOT_FOUND",
  "CONFIRMATION_REQUIRED",
  "APPROVAL_REQUIRED",
  "PLAN_NOT_SUPPORTED",
  "PAYLOAD_INVALID",
  "AGENT_OFFLINE",
  "AGENT_DISABLED",
] as const;

/** Errors of calls that depend on the state that a prepare command has returned. */
export const conditionErrors = ["STATE_NOT_REPORTED", "PREPARE_UNUSABLE", "PLAN_EXPIRED"] as const;

export const commandDetail = named(
  "CommandDetail",
  commandSummary.extend({
    payload: jsonObject.describe("The payload, with `[REDACTED]` in place of each secret."),
    withheld: z
      .array(z.string())
      .describe("JSON Pointers to the secrets in the payload. A retry must supply them."),
    result: commandResult.nullable().describe("Null until the agent reports a result."),
    lateResult: commandResult
      .nullable()
      .describe("The last result that arrived after the command had ended in another way."),
  }),
);
