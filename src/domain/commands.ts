// Commands: their states, who may move them where, and how a missed one ends.
// (docs/decisions/0006-command-delivery.md)

import { errorCodeMaxLength, errorMessageMaxLength } from "./limits.ts";
import type { Json, JsonObject } from "./payload/json.ts";

/** What the audit trail records of commands. */
export const audited = {
  targetType: "command",
  actions: [
    "command.created",
    "command.dispatched",
    "command.redelivered",
    "command.completed",
    "command.failed",
    "command.cancelled",
    "command.expired",
    "command.retried",
    "command.result.late",
    "command.pruned",
  ],
} as const;

export const commandTypes = ["ACTION_PREPARE", "ACTION_EXECUTE"] as const;
export type CommandType = (typeof commandTypes)[number];

export const commandStatuses = ["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] as const;
export type CommandStatus = (typeof commandStatuses)[number];

export function isTerminal(status: CommandStatus): boolean {
  return status !== "PENDING" && status !== "RUNNING";
}

/** The code and sentence that a command gets when its time ran out. */
export function expiryOutcome(
  type: CommandType,
  status: "PENDING" | "RUNNING",
): { errorCode: string; errorMessage: string } {
  const reached = status === "RUNNING";
  if (type === "ACTION_PREPARE") {
    return {
      errorCode: "ACTION_PREPARE_TIMEOUT",
      errorMessage: reached
        ? "The agent took the prepare command but did not answer in time."
        : "The agent did not fetch the prepare command in time.",
    };
  }
  return reached
    ? {
        errorCode: "COMMAND_TIMED_OUT",
        errorMessage: "The agent took the command but reported no result in time.",
      }
    : {
        errorCode: "COMMAND_EXPIRED",
        errorMessage: "The agent did not fetch the command before it expired.",
      };
}

/** The error code and message that a failed result leaves on its command. */
export function failureOf(result: {
  error?: { code?: string | undefined; message?: string | undefined } | undefined;
  message?: string | undefined;
}): { errorCode: string; errorMessage: string | null } {
  const code = result.error?.code || "ACTION_FAILED";
  const message = result.error?.message || result.message || null;
  return {
    errorCode: cut(code, errorCodeMaxLength),
    errorMessage: message === null ? null : cut(message, errorMessageMaxLength),
  };
}

/** At most `length` UTF-16 units, never half of a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length);
}

/** What became of work that was cancelled after an agent had taken it. */
export const cancelOutcomes = ["STOPPED", "FINISHED", "NOT_STOPPED", "UNKNOWN"] as const;
export type CancelOutcome = (typeof cancelOutcomes)[number];

/** What the result that comes after a cancellation says about the work. */
export function cancelOutcomeOf(result: {
  success: boolean;
  error?: { code?: string | undefined } | undefined;
}): CancelOutcome {
  if (result.success) return "FINISHED";
  switch (result.error?.code) {
    case "COMMAND_CANCELLED":
    case "COMMAND_EXPIRED":
      return "STOPPED";
    case "COMMAND_NOT_STOPPED":
      return "NOT_STOPPED";
    case "AGENT_RESTARTED":
    case "AGENT_STOPPED":
    case "COMMAND_ALREADY_RUN":
      return "UNKNOWN";
    default:
      return "FINISHED";
  }
}

/** Milliseconds between claim and end; null when it never started or never finished. */
export function durationMs(startedAt: number | null, completedAt: number | null): number | null {
  if (startedAt === null || completedAt === null) return null;
  return Math.max(0, completedAt - startedAt);
}

/** Who asked for a command; of one made by the bus, its event and route. */
export interface CommandSource {
  kind: "operator" | "bus";
  /** The user's or API key's id, or the event's. */
  id: string | null;
  /** Of the user or API key, or the route's. */
  name: string | null;
  routeId: string | null;
}

/** A command as it is stored. Times are Unix milliseconds. */
export interface Command {
  id: string;
  type: CommandType;
  status: CommandStatus;
  agentId: string;
  agentCode: string;
  serviceId: string;
  serviceCode: string;
  action: string;
  /** With `[REDACTED]` in place of each secret. */
  payload: JsonObject;
  /** JSON Pointers to the places of the secrets. */
  withheld: string[];
  /** The secrets, in the order of their places; null once the command has ended. */
  secrets: Json[] | null;
  reason: string | null;
  source: CommandSource;
  prepareCommandId: string | null;
  retryOf: string | null;
  /** From claim to result. */
  timeoutSeconds: number;
  createdAt: number;
  expiresAt: number;
  startedAt: number | null;
  completedAt: number | null;
  deliveries: number;
  errorCode: string | null;
  errorMessage: string | null;
  cancelledWhileRunning: boolean;
  /** Null until its agent has said so; only of what was cancelled while it ran. */
  cancelOutcome: CancelOutcome | null;
}

/** A result as it is stored, after redaction. */
export interface CommandResult {
  id: string;
  commandId: string;
  /** Came after the command had ended another way. */
  late: boolean;
  success: boolean;
  output: Json | undefined;
  error: Json | undefined;
  message: string | null;
  /** HMAC of what was sent: tells a repeat from a different result. */
  fingerprint: string;
  receivedAt: number;
}
