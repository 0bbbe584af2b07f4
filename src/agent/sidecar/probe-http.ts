// Whether a service answers over HTTP as it should.

import { isDeepStrictEqual } from "node:util";
import { redact } from "../../domain/redaction.ts";
import { cutText } from "../../lib/cut-text.ts";
import type { HealthConfig } from "./config.ts";
import { callHttp } from "./http-call.ts";
import { isSuccess, maxAnswerBytes, statusOf, valueIn } from "./json-answer.ts";
import type { Place } from "./place.ts";

export type HttpProbe = NonNullable<HealthConfig["http"]>;

/** Of a value that is quoted in a message. */
const maxQuoted = 100;

/**
 * Answers what is well. The status must be the expected one, and when a pointer is given, what it finds
 * must equal `equals`, or be true. Throws an Error that says what is not so, or the signal's reason.
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
  const value = valueIn(answer, pointer ?? "");
  const expected = equals === undefined ? true : equals;
  const fact = `${pointer || "the answer"} is ${quoted(value)}`;
  if (!isDeepStrictEqual(value, expected)) {
    throw new Error(`${fact}, expected ${quoted(expected)}`);
  }
  return `${statusOf(answer)}, ${fact}`;
}

function quoted(value: unknown): string {
  return cutText(JSON.stringify(redact(value)), maxQuoted);
}
