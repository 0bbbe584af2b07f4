// Responds to requests that fail before they reach `dispatch`.

import type { Core } from "../core/context.ts";
import { AppError } from "../domain/errors.ts";
import { type Answer, failureAnswer } from "./envelope.ts";
import { BodyTooLarge } from "./requests/body.ts";
import { type Match, MethodNotAllowed } from "./router.ts";

/** A refusal that closes the connection. */
export class FinalRefusal extends AppError {}

export interface RefusalOptions {
  core: Core;
  commandResultMaxBytes: number;
}

/** The returned function converts an error. Its `match` is undefined if no route was found. */
export function createRefusals({ core, commandResultMaxBytes }: RefusalOptions) {
  return (error: unknown, match: Match | undefined, requestId: string | null): Answer => {
    const access = match?.spec.access ?? "public";
    if (error instanceof MethodNotAllowed) {
      const refusal = new AppError("METHOD_NOT_ALLOWED", `Allowed methods: ${error.allow}.`);
      return { ...failureAnswer(refusal, access, requestId), headers: { Allow: error.allow } };
    }
    const refusal = error instanceof BodyTooLarge ? tooLarge(match) : error;
    if (!core.storage.took(core, refusal) && !(refusal instanceof AppError)) {
      core.log.error({ err: error, requestId }, "request failed");
    }
    const answer = failureAnswer(refusal, access, requestId);
    return refusal instanceof FinalRefusal ? { ...answer, isLast: true } : answer;
  };

  function tooLarge(match: Match | undefined): AppError {
    if (match?.spec.bodyLimit !== "commandResult") {
      return new FinalRefusal("PAYLOAD_TOO_LARGE", "The body exceeds the limit of this route.");
    }
    core.counters.count("oversizedCommandResultsRejected");
    return new FinalRefusal(
      "COMMAND_RESULT_TOO_LARGE",
      `A result can have at most ${commandResultMaxBytes} bytes.`,
      { details: { maxBytes: commandResultMaxBytes } },
    );
  }
}
