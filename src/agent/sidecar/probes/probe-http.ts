import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../domain/payload/json.ts";
import { redact, redacted } from "../../../domain/payload/redaction.ts";
import { isSecretName } from "../../../domain/secrecy.ts";
import { cutText } from "../../../lib/cut-text.ts";
import type { HealthConfig } from "../config/config.ts";
import type { Abortable } from "../config-origin.ts";
import { callHttp, type HttpResponse } from "../http-call.ts";
import { isSuccess, maxResponseBytes, statusOf, valueIn } from "../json-response.ts";

export type HttpProbe = NonNullable<HealthConfig["http"]>;

const maxQuoted = 100;

/**
 * Without `equals`, the value at the pointer must not be false or null. Throws an Error that
 * describes the difference, or the signal's reason.
 */
export async function probeHttp(
  { url, headers, status, pointer, equals }: HttpProbe,
  origin: Abortable,
): Promise<string> {
  const looksInside = pointer !== undefined || equals !== undefined;
  const call = { method: "GET", url, headers, maxBytes: looksInside ? maxResponseBytes : 0 };
  const response = await callHttp(call, origin);
  const isExpected = status === undefined ? isSuccess(response) : response.status === status;
  if (!isExpected) throw new Error(`${statusOf(response)}, expected ${status ?? "200–299"}`);
  if (!looksInside) return statusOf(response);
  return `${statusOf(response)}, ${factIn(response, pointer ?? "", equals)}`;
}

function factIn(response: HttpResponse, pointer: string, equals: Json | undefined): string {
  const quoted = (value: Json) => {
    return isSecretName(pointer) ? redacted : cutText(JSON.stringify(redact(value)), maxQuoted);
  };
  const value = valueIn(response, pointer);
  const fact = `${pointer || "the response"} is ${quoted(value)}`;
  if (equals !== undefined) {
    if (!isDeepStrictEqual(value, equals)) throw new Error(`${fact}, expected ${quoted(equals)}`);
  } else if (value === false || value === null) {
    throw new Error(`${pointer || "the response"} is ${value}`);
  }
  return fact;
}
