// Turns the error that ended a call into its response.

import type { Core } from "../core/context.ts";
import type { Access } from "../domain/access/principals.ts";
import { AppError } from "../domain/errors.ts";
import { type Answer, failureAnswer } from "./envelope.ts";

/** A refusal that closes the connection. */
export class FinalRefusal extends AppError {}

export class MethodNotAllowed extends AppError {
  readonly allow: string;

  constructor(allow: string) {
    super("METHOD_NOT_ALLOWED", `Allowed methods: ${allow}.`);
    this.allow = allow;
  }
}

interface RefusedCall {
  access: Access;
  requestId: string | null;
  /** Undefined if no route was found. */
  route?: string | undefined;
}

/** Also logs the error, but only at debug level if the caller caused it. */
export function refusalAnswer(
  core: Core,
  error: unknown,
  { access, requestId, route }: RefusedCall,
): Answer {
  if (!core.storage.recordFailure(core, error)) logRefusal(core, error, { requestId, route });
  const answer = failureAnswer(error, access, requestId);
  if (error instanceof MethodNotAllowed) return { ...answer, headers: { Allow: error.allow } };
  return error instanceof FinalRefusal ? { ...answer, isLast: true } : answer;
}

function logRefusal({ log }: Core, error: unknown, fields: Omit<RefusedCall, "access">): void {
  if (!(error instanceof AppError)) log.error({ ...fields, err: error }, "request failed");
  else if (error.cause) log.warn({ ...fields, err: error.cause }, error.message);
  else log.debug({ ...fields, code: error.code }, error.message);
}
