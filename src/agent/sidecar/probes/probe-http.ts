// Whether a service answers over HTTP as it should.

import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../domain/payload/json.ts";
import { looksSecret, redact, redacted } from "../../../domain/payload/redaction.ts";
import { cutText } from "../../../lib/cut-text.ts";
import type { HealthConfig } from "../config/config.ts";
import { callHttp, type HttpAnswer } from "../http-call.ts";
import { isSuccess, maxAnswerBytes, statusOf, valueIn } from "../json-answer.ts";
import type { Place } from "../place.ts";

export type HttpProbe = NonNullable<HealthConfig["http"]>;

/** Of a value that is quoted in a message. */
const maxQuoted = 100;

/**
 * Answers what is well. The status must be the expected one, and what the pointer finds must equal
 * `equals`, or, without that, be anything but false and null. Throws an Error that says what is not so, or the
 * signal's reason.
 */
export async function probeHttp(
  { url, headers, status, pointer, equals }: HttpProbe,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  const looksInside = pointer !== undefined || equals !== undefined;
  const call = { method: "GET", url, headers, maxBytes: looksInside ? maxAnswerBytes : 0 };
  const answer = await callHttp(call, place, signal);
  const isExpected = status === undefined ? isSuccess(answer) : answer.status === status;
  if (!isExpected) throw new Error(`${statusOf(answer)}, expected ${status ?? "200–299"}`);
  if (!looksInside) return statusOf(answer);
  return `${statusOf(answer)}, ${factIn(answer, pointer ?? "", equals)}`;
}

function factIn(answer: HttpAnswer, pointer: string, equals: Json | undefined): string {
  const quoted = (value: Json) => {
    return looksSecret(pointer) ? redacted : cutText(JSON.stringify(redact(value)), maxQuoted);
  };
  const value = valueIn(answer, pointer);
  const fact = `${pointer || "the answer"} is ${quoted(value)}`;
  if (equals !== undefined) {
    if (!isDeepStrictEqual(value, equals)) throw new Error(`${fact}, expected ${quoted(equals)}`);
  } else if (value === false || value === null) {
    throw new Error(`${pointer || "the answer"} is ${value}`);
  }
  return fact;
}
