// States, deadlines and results of commands. (docs/decisions/0006-command-delivery.md)

import { errorCodeMaxLength, errorMessageMaxLength } from "../limits.ts";
import type { Json, JsonObject } from "../payload/json.ts";

export const commandTypes = ["ACTION_PREPARE", "ACTION_EXECUTE"] as const;
export type CommandType = (typeof commandTypes)[number];

export const commandStatuses = ["PENDING", "RUNNING", "SUCCEEDED", "FAILED", "CANCELLED"] as const;
export type CommandStatus = (typeof commandStatuses)[number];

/**
 * Whether the command has ended. Only open commands can be cancelled or expire, even after an agent
 * has received them.
 */
export function hasEnded(status: CommandStatus): boolean {
  return status !== "PENDING" && status !== "RUNNING";
}

export function mayBeRetried({ type, status }: { type: string; status: string }): boolean {
  return type === "ACTION_EXECUTE" && (status === "FAILED" || status === "CANCELLED");
}

export function expiryOutcome(
  type: CommandType,
  status: "PENDING" | "RUNNING",
): { errorCode: string; errorMessage: string } {
  const reached = status === "RUNNING";
  if (type === "ACTION_PREPARE") {
    return {
      errorCode: "ACTION_PREPARE_TIMEOUT",
      errorMessage: reached
        ? "The agent received the prepare command but did not respond in time."
        : "The agent did not fetch the prepare command in time.",
    };
  }
  return reached
    ? {
        errorCode: "COMMAND_TIMED_OUT",
        errorMessage: "The agent received the command but reported no result in time.",
      }
    : {
        errorCode: "COMMAND_EXPIRED",
        errorMessage: "The agent did not fetch the command before it expired.",
      };
}

/** How a command with an expected state ends if its agent can no longer compare states. */
export function unsupportedOutcome(status: "PENDING" | "RUNNING") {
  const delivery =
    status === "RUNNING"
      ? "The command was delivered before, and may have run."
      : "The command was not delivered.";
  return {
    errorCode: "PLAN_NOT_SUPPORTED",
    errorMessage: `The agent's program was replaced by one that cannot compare the state. ${delivery}`,
  };
}

/** Cuts long texts. The stored result contains them in full. */
export function failureOf({ error, message: sent }: Partial<CommandResult>): {
  errorCode: string;
  errorMessage: string | null;
} {
  const code = textOf(error?.code) || "ACTION_FAILED";
  const message = textOf(error?.message) || sent || null;
  return {
    errorCode: cut(code, errorCodeMaxLength),
    errorMessage: message === null ? null : cut(message, errorMessageMaxLength),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Cuts text to at most `length` UTF-16 code units, without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? length - 1 : length);
}

/** What became of work that was cancelled after an agent had received it. */
export const cancelOutcomes = ["STOPPED", "FINISHED", "NOT_STOPPED", "UNKNOWN"] as const;
export type CancelOutcome = (typeof cancelOutcomes)[number];

const notStoppedCode = "COMMAND_NOT_STOPPED";
const stoppedCodes = ["COMMAND_CANCELLED", "COMMAND_EXPIRED"];
const unknownCodes = ["AGENT_RESTARTED", "AGENT_STOPPED", "COMMAND_ALREADY_RUN"];

export function isCancelCode(code: Json | undefined): boolean {
  return [...stoppedCodes, notStoppedCode, ...unknownCodes].some((known) => known === code);
}

/**
 * Whether the agent's program ended before the command did. Such a program sends nothing more about
 * the command.
 */
export function isAgentGone(errorCode: string | null): boolean {
  return errorCode !== null && unknownCodes.includes(errorCode);
}

/**
 * Whether a delivered command ended without news from the program that ran it. The command may have
 * written more output than that program sent.
 */
export function isEndUnknown({ type, errorCode }: Pick<Command, "type" | "errorCode">): boolean {
  const isLost = isAgentGone(errorCode) || errorCode === "COMMAND_TIMED_OUT";
  return isLost && type === "ACTION_EXECUTE";
}

/** Derives the outcome from the result that arrives after a cancellation. */
export function cancelOutcomeOf(result: {
  success: boolean;
  error?: { code?: string | undefined } | undefined;
}): CancelOutcome {
  const code = result.success ? "" : (result.error?.code ?? "");
  if (stoppedCodes.includes(code)) return "STOPPED";
  if (code === notStoppedCode) return "NOT_STOPPED";
  return unknownCodes.includes(code) ? "UNKNOWN" : "FINISHED";
}

/** Returns the time from delivery to end; null if the command has not started or not ended. */
export function durationMs(startedAt: number | null, completedAt: number | null): number | null {
  if (startedAt === null || completedAt === null) return null;
  return Math.max(0, completedAt - startedAt);
}

/** What created a command: a caller, an event and its route, a rollout or a schedule. */
interface CommandSource {
  kind: "operator" | "bus" | "rollout" | "schedule";
  /**
   * The id of the user, the API key, the event, the rollout or the schedule; null for a local
   * caller.
   */
  id: string | null;
  /** The name of the user, the API key, the route or the schedule, or of the rollout's creator. */
  name: string | null;
  routeId: string | null;
}

/** Times are Unix milliseconds. */
export interface Command {
  id: string;
  type: CommandType;
  status: CommandStatus;
  agentId: string;
  agentCode: string;
  serviceId: string;
  serviceCode: string;
  action: string;
  /** The payload, with `[REDACTED]` in place of each secret. */
  payload: JsonObject;
  /** JSON Pointers to the secrets. */
  withheld: string[];
  /** The secrets in the order of `withheld`; null after the command has ended. */
  secrets: Json[] | null;
  reason: string | null;
  source: CommandSource;
  prepareCommandId: string | null;
  retryOf: string | null;
  /** The fingerprint of the only state in which the agent runs the command; null for any state. */
  expectedState: string | null;
  /** How long the agent has from the delivery of the command to its result. */
  timeoutSeconds: number;
  createdAt: number;
  expiresAt: number;
  startedAt: number | null;
  completedAt: number | null;
  deliveries: number;
  errorCode: string | null;
  errorMessage: string | null;
  cancelledWhileRunning: boolean;
  /** Null until the agent has reported what became of the cancelled command. */
  cancelOutcome: CancelOutcome | null;
}

export interface CommandResult {
  id: string;
  commandId: string;
  /** Whether the result arrived after the command had already ended. */
  late: boolean;
  success: boolean;
  output: Json | undefined;
  error: JsonObject | undefined;
  message: string | null;
  /** The other fields that the agent sent. */
  other: JsonObject | undefined;
  /** The HMAC of the received body, which distinguishes a repetition from a different result. */
  fingerprint: string;
  receivedAt: number;
}
