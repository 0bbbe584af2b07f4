// Responds to requests that fail before they reach `dispatch`.

import type { Core } from "../core/context.ts";
import { AppError } from "../domain/errors.ts";
import { type Answer, failureAnswer } from "./envelope.ts";
import { BodyTooLarge, TooManyParts } from "./requests/body.ts";
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
    const refusal = inWordsOfRoute(error, match);
    if (!core.storage.took(core, refusal) && !(refusal instanceof AppError)) {
      core.log.error({ err: error, requestId }, "request failed");
    }
    const answer = failureAnswer(refusal, access, requestId);
    return refusal instanceof FinalRefusal ? { ...answer, isLast: true } : answer;
  };

  function inWordsOfRoute(error: unknown, match: Match | undefined): unknown {
    const isResult = match?.spec.bodyLimit === "commandResult";
    const isTooLarge = error instanceof BodyTooLarge;
    if (isTooLarge && !isResult) {
      return new FinalRefusal("PAYLOAD_TOO_LARGE", "The body exceeds the limit of this route.");
    }
    if (!isResult || !(isTooLarge || error instanceof TooManyParts)) return error;
    core.counters.count("oversizedCommandResultsRejected");
    const maxBytes = commandResultMaxBytes;
    if (isTooLarge) {
      const message = `A result can have at most ${maxBytes} bytes. Send a smaller one.`;
      return new FinalRefusal("COMMAND_RESULT_TOO_LARGE", message, { details: { maxBytes } });
    }
    const { maxParts, message } = error;
    return new AppError("COMMAND_RESULT_TOO_LARGE", `${message} Send a smaller result.`, {
      details: { maxBytes, maxParts },
    });
  }
}
