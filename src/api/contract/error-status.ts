import { type ErrorCode, errorStatus } from "../../domain/errors.ts";
import type { Access } from "../../domain/principals.ts";

/** On routes for operators, AGENT_DISABLED is a conflict (409). */
export function statusOf(code: ErrorCode, access: Access): number {
  const isOperators = access === "viewer" || access === "operator" || access === "owner";
  return code === "AGENT_DISABLED" && isOperators ? 409 : errorStatus[code];
}
