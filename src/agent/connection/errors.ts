import type { Json } from "../../domain/payload/json.ts";

/**
 * Thrown by an action's `execute` or `prepare`. The command fails with exactly this code (upper
 * snake case, cut to 80 characters), message (a sentence for the operator) and details (any JSON).
 */
export class ActionError extends Error {
  override readonly name = "ActionError";
  readonly code: string;
  readonly details: Json | undefined;

  constructor(code: string, message: string, details?: Json) {
    super(message);
    // In JavaScript, the code may be a status or missing.
    this.code = String(code ?? "ACTION_FAILED");
    this.details = details;
  }
}

export type AgentErrorCode =
  /** The arguments of `createAgent`, `service` or `action` are invalid, or Node is too old. */
  | "OPTIONS_INVALID"
  /** Another running agent uses the same `stateDir`. */
  | "STATE_IN_USE"
  /** `stateDir` cannot be read or written, or its token file is invalid. */
  | "STATE_UNUSABLE"
  /** There is neither a stored token nor a registration token. */
  | "REGISTRATION_TOKEN_MISSING"
  /**
   * The server refuses the registration, and would refuse it again. `cause` is the server's
   * AppError.
   */
  | "REGISTRATION_REFUSED"
  /** The first report could not be made, or the server refused it. `cause` says why. */
  | "REPORT_REFUSED"
  /** The agent was stopped, or never started. */
  | "AGENT_NOT_RUNNING";

/** Thrown by `createAgent` and by the agent's methods. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Never throws, although anything can be thrown: even a message may be no text. */
export function messageOf(error: unknown): string {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return "an error without a message";
  }
}

export function reasonFrom(reasons: Readonly<Record<string, string>>, error: unknown): string {
  const { code = "" } = error as { code?: string };
  return reasons[code] ?? messageOf(error);
}
