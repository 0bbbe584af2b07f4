import { errorCodeMaxLength } from "../../domain/limits.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { cutText } from "../../lib/cut-text.ts";
import { ActionError, messageOf } from "../connection/errors.ts";

/** The command as a handler sees it. */
export interface DeliveredCommand {
  /** `cmd_…` */
  id: string;
  type: "ACTION_PREPARE" | "ACTION_EXECUTE";
  serviceCode: string;
  action: string;
  payload: JsonObject;
  /** When the server expires the command, in ISO 8601 UTC. */
  expiresAt: string;
  /** The fingerprint that the state must have; the agent has compared it before `execute`. */
  expectedState?: string | undefined;
}

export type CommandResult =
  | { success: true; output?: Json; message?: string }
  | { success: false; error: { code: string; message: string; details?: Json } };

/** The codes of failures that do not come from a handler's ActionError. */
export type ResultCode =
  /** The handler threw an error other than ActionError. */
  | "ACTION_FAILED"
  /** The service or action does not exist, or no longer exists. */
  | "ACTION_UNKNOWN"
  | "ACTION_TIMED_OUT"
  /** The handler returned something that is not JSON. */
  | "ACTION_OUTPUT_INVALID"
  /** The server does not accept the result of `prepare`. */
  | "ACTION_PREPARE_INVALID"
  /**
   * The agent died while the handler ran, or has no record of a cancelled command. How far the
   * handler got is unknown.
   */
  | "AGENT_RESTARTED"
  /** The agent was stopped, and the handler did not end in time. */
  | "AGENT_STOPPED"
  /** The journal could not be written, so the handler was not started. */
  | "AGENT_STORAGE_FAILED"
  /** An operator cancelled the command, and the handler ended or was not started. */
  | "COMMAND_CANCELLED"
  /** An operator cancelled the command, and the handler did not end within 10 s. */
  | "COMMAND_NOT_STOPPED"
  /** The command expired before its turn and was not run. */
  | "COMMAND_EXPIRED"
  /** The payload does not match the action's `inputSchema`, so the handler was not started. */
  | "PAYLOAD_INVALID"
  /** The state is no longer the one that the operator saw, so the handler was not started. */
  | "STATE_CHANGED"
  /** `prepare` failed or returned no state to compare, so the handler was not started. */
  | "STATE_NOT_CHECKED"
  /** The command was delivered again after its result was acknowledged, and was not run again. */
  | "COMMAND_ALREADY_RUN";

const messageMaxLength = 10_000;
const shortMessageLength = 500;
/** The maximum length of output that is kept. No server accepts more by default. */
const outputMaxLength = 16 * 1024 * 1024;

/** Output that is not JSON makes the command fail. */
export function succeeded(output: unknown, isPrepare: boolean): CommandResult {
  try {
    const text = JSON.stringify(output);
    if (text === undefined) return { success: true };
    const result = { success: true as const, output: JSON.parse(text) as Json };
    return text.length > outputMaxLength ? shortened(result, isPrepare, "it is too large") : result;
  } catch (error) {
    return failed(
      "ACTION_OUTPUT_INVALID",
      `The action finished, but its output is not JSON: ${messageOf(error)}`,
    );
  }
}

/** `code` is for errors other than ActionError. */
export function failedBy(error: unknown, code: ResultCode): CommandResult {
  if (error instanceof ActionError) return failure(error.code, error.message, error.details);
  return failed(code, messageOf(error));
}

export function failed(code: ResultCode, message: string, details?: Json): CommandResult {
  return failure(code, message, details);
}

function failure(code: string, message: string, details?: Json): CommandResult {
  const error = {
    code: code.slice(0, errorCodeMaxLength).toWellFormed() || "ACTION_FAILED",
    message: cutText(message, messageMaxLength),
  };
  const plain = plainJson(details);
  return { success: false, error: plain === undefined ? error : { ...error, details: plain } };
}

/** A success remains a success, but a prepare command fails: an incomplete form is useless. */
export function shortened(
  result: CommandResult,
  isPrepare: boolean,
  reason: string,
): CommandResult {
  if (result.success && isPrepare) {
    return failed("ACTION_PREPARE_INVALID", `The form cannot be sent: ${reason}`);
  }
  if (result.success) return { success: true, ...leftOut(result.output) };
  const { code, message, details } = result.error;
  return failure(
    code,
    cutText(message, shortMessageLength),
    details === undefined ? undefined : leftOut(details).output,
  );
}

function leftOut(output: Json | undefined): { output: JsonObject; message: string } {
  const bytes = Buffer.byteLength(JSON.stringify(output) ?? "");
  return {
    output: { truncated: true, bytes },
    message: `The output (${bytes} bytes) was omitted because it could not be sent.`,
  };
}

function plainJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value);
    return text === undefined || text.length > outputMaxLength ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
