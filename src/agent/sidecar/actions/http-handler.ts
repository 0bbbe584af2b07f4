// An action's work done by a call to the service: the payload is the body, the answer's body comes back.

import type { JsonObject } from "../../../domain/payload/json.ts";
import { ActionError, messageOf } from "../../connection/errors.ts";
import type { HttpConfig, SecretSource } from "../config/config.ts";
import { callHttp, type HttpAnswer } from "../http-call.ts";
import { type Place, readSecret } from "../place.ts";
import { fillHeader, fillUrl } from "./fill-http.ts";
import { outputMaxBytes, outputOf, shownOf, toldError, type Written } from "./program-output.ts";

/**
 * The body of an answer from 200 to 299. A prepare has no payload (`null`), and is a GET by default,
 * others a POST. Throws ActionError with what the service said of its failure, or HTTP_<status>;
 * SERVICE_UNREACHABLE; SECRET_MISSING; PAYLOAD_INVALID. Rejects with the signal's reason.
 */
export async function runHttp(
  http: HttpConfig,
  payload: JsonObject | null,
  place: Place,
  signal: AbortSignal,
): Promise<Written> {
  const method = http.method ?? (payload === null ? "GET" : "POST");
  const body = payload === null || method === "GET" ? undefined : JSON.stringify(payload);
  const url = fillUrl(http.url, payload ?? {});
  const headers = await headersOf(http.headers, payload ?? {}, place);
  const call = { method, url, headers, body, maxBytes: outputMaxBytes };
  const answer = await callHttp(call, place, signal).catch((error: unknown) => {
    if (signal.aborted) throw brokenOff(signal.reason);
    throw new ActionError("SERVICE_UNREACHABLE", messageOf(error));
  });
  if (answer.status < 200 || answer.status > 299) throw failureOf(answer);
  return writtenOf(answer);
}

/** What the service was asked for it may still do. */
function brokenOff(reason: unknown): unknown {
  if (!(reason instanceof ActionError) || reason.code !== "COMMAND_CANCELLED") return reason;
  const message = "The call was broken off: whether the service goes on with it is not known.";
  return new ActionError(reason.code, message);
}

/** Only what stands in agent.yaml itself is a template: a secret is sent as it is. */
async function headersOf(
  sources: Record<string, SecretSource>,
  payload: JsonObject,
  place: Place,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, source] of Object.entries(sources)) {
    const value =
      typeof source === "string"
        ? fillHeader(source, payload)
        : await secretFor(name, source, place);
    if (value !== null) headers[name] = value;
  }
  return headers;
}

async function secretFor(name: string, source: SecretSource, place: Place): Promise<string> {
  try {
    return await readSecret(source, place);
  } catch (error) {
    throw new ActionError(
      "SECRET_MISSING",
      `The header ${name} cannot be sent: ${messageOf(error)}.`,
    );
  }
}

function failureOf(answer: HttpAnswer): ActionError {
  const { status } = answer;
  const told = toldError(outputOf(writtenOf(answer)));
  const moved = status >= 300 && status < 400 ? " A redirect is not followed." : "";
  const message = told.message ?? `The service answered with status ${status}.${moved}`;
  const details =
    told.details === undefined ? { body: shownOf(answer.text) } : { details: told.details };
  return new ActionError(told.code ?? `HTTP_${status}`, message, { status, ...details });
}

function writtenOf({ text, cut, headers }: HttpAnswer): Written {
  const length = Number(headers["content-length"]);
  return { text, cut, bytes: Number.isInteger(length) ? length : null };
}
