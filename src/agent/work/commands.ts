// A command as it is delivered, and the result that goes back.

import { errorCodeMaxLength } from "../../domain/limits.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { cutText } from "../../lib/cut-text.ts";
import { ActionError, messageOf } from "../connection/errors.ts";

/** What a handler is told about the command that it runs. */
export interface DeliveredCommand {
  /** `cmd_…` */
  id: string;
  type: "ACTION_PREPARE" | "ACTION_EXECUTE";
  serviceCode: string;
  action: string;
  payload: JsonObject;
  /** ISO 8601 UTC. */
  expiresAt: string;
}

export type CommandResult =
  | { success: true; output?: Json; message?: string }
  | { success: false; error: { code: string; message: string; details?: Json } };

/** What a command fails with when it is not its handler that says so. */
export type ResultCode =
  /** The handler threw something that is not an ActionError. */
  | "ACTION_FAILED"
  /** The agent has no such service or action (any more). */
  | "ACTION_UNKNOWN"
  | "ACTION_TIMED_OUT"
  /** The handler returned what JSON cannot say. */
  | "ACTION_OUTPUT_INVALID"
  /** The server does not take what `prepare` returned. */
  | "ACTION_PREPARE_INVALID"
  /** The agent died while the handler ran: what was done is not known. */
  | "AGENT_RESTARTED"
  /** The agent was stopped and the handler did not end in time. */
  | "AGENT_STOPPED"
  /** The journal could not be written, so the handler was not started. */
  | "AGENT_STORAGE_FAILED"
  /** An operator cancelled it: the handler has ended, or was not started. */
  | "COMMAND_CANCELLED"
  /** An operator cancelled it, and the handler did not end within 10 s of being told. */
  | "COMMAND_NOT_STOPPED"
  /** Its `expiresAt` passed before its turn came: it was not run. */
  | "COMMAND_EXPIRED"
  /** The payload does not fit the action's `inputSchema`: the handler was not started. */
  | "PAYLOAD_INVALID"
  /** It came again after its result was acknowledged, and was not run again. */
  | "COMMAND_ALREADY_RUN";

const messageMaxLength = 10_000;
const shortMessageLength = 500;
/** More is not even kept: no server takes it by default. */
const outputMaxLength = 16 * 1024 * 1024;

/** The result of a handler that returned. What JSON cannot say is a failure: nobody would see it. */
export function succeeded(output: unknown, isPrepare: boolean): CommandResult {
  try {
    const text = JSON.stringify(output);
    if (text === undefined) return { success: true };
    const result = { success: true as const, output: JSON.parse(text) as Json };
    return text.length > outputMaxLength ? shortened(result, isPrepare, "it is too large") : result;
  } catch (error) {
    return failed(
      "ACTION_OUTPUT_INVALID",
      `The action ran to its end, but its output is not JSON: ${messageOf(error)}`,
    );
  }
}

/** The result of a handler that threw; `code` is for what is not an ActionError. */
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

/**
 * What is sent in place of a result that the server does not take, for its size or its form. Whether
 * the action succeeded stays true; a prepare fails, because a form that is cut is no form.
 */
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
    message: `The output (${bytes} bytes) was left out: the server does not take it.`,
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
