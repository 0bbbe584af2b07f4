// The two errors of an agent: one that a handler throws to fail honestly, and one that the agent
// throws at the program that embeds it.

import type { Json } from "../../domain/payload/json.ts";

/**
 * Thrown by an action's `execute` or `prepare`: the command fails with exactly this code (upper snake
 * case, cut to 80 characters), message (a sentence for the operator) and details (any JSON).
 */
export class ActionError extends Error {
  override readonly name = "ActionError";
  readonly code: string;
  readonly details: Json | undefined;

  constructor(code: string, message: string, details?: Json) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export type AgentErrorCode =
  /** `createAgent`, `service` or `action` was given something that cannot be used; or Node is too old. */
  | "OPTIONS_INVALID"
  /** Another running agent uses the same `stateDir`. */
  | "STATE_IN_USE"
  /** `stateDir` cannot be read or written, or its token file is not one. */
  | "STATE_UNUSABLE"
  /** There is no stored token and no registration token to get one with. */
  | "REGISTRATION_TOKEN_MISSING"
  /** The server refuses the registration, and will refuse it again. `cause` is its AppError. */
  | "REGISTRATION_REFUSED"
  /** The first report could not be made, or the server does not take it. `cause` says why. */
  | "REPORT_REFUSED"
  /** `stop` was called, or `start` was not. */
  | "AGENT_NOT_RUNNING";

/** What `createAgent` and the agent's methods throw. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: AgentErrorCode;

  constructor(code: AgentErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** For events and results: what went wrong, as a text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
