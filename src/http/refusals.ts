// How a request that did not get through the door is answered: what failed, told once, in the
// envelope.

import type { Core } from "../core/context.ts";
import { AppError } from "../domain/errors.ts";
import { type Answer, failureAnswer } from "./envelope.ts";
import { BodyTooLarge } from "./requests/body.ts";
import { type Match, MethodNotAllowed } from "./router.ts";

/** A refusal after which the connection is closed. */
export class LastWord extends AppError {}

export interface RefusalOptions {
  core: Core;
  commandResultMaxBytes: number;
}

/** Answers how to tell a caller of this error; `match` is undefined when no route was found. */
export function createRefusals({ core, commandResultMaxBytes }: RefusalOptions) {
  return (error: unknown, match: Match | undefined, requestId: string | null): Answer => {
    const access = match?.spec.access ?? "public";
    if (error instanceof MethodNotAllowed) {
      const refusal = new AppError("METHOD_NOT_ALLOWED", `Here only: ${error.allow}.`);
      return { ...failureAnswer(refusal, access, requestId), headers: { Allow: error.allow } };
    }
    const refusal = error instanceof BodyTooLarge ? tooLarge(match) : error;
    if (!core.storage.took(core, refusal) && !(refusal instanceof AppError)) {
      core.log.error({ err: error, requestId }, "request failed");
    }
    const answer = failureAnswer(refusal, access, requestId);
    return refusal instanceof LastWord ? { ...answer, isLast: true } : answer;
  };

  function tooLarge(match: Match | undefined): AppError {
    if (match?.spec.bodyLimit !== "commandResult") {
      return new LastWord("PAYLOAD_TOO_LARGE", "The body is larger than this call allows.");
    }
    core.counters.count("oversizedCommandResultsRejected");
    return new LastWord(
      "COMMAND_RESULT_TOO_LARGE",
      `A result may have ${commandResultMaxBytes} bytes: send a smaller one.`,
      { details: { maxBytes: commandResultMaxBytes } },
    );
  }
}
