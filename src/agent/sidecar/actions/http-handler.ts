import type { JsonObject } from "../../../domain/payload/json.ts";
import { isSecretName } from "../../../domain/secrets/secrecy.ts";
import { ActionError, messageOf } from "../../connection/errors.ts";
import type { ActionOutput } from "../../services/services.ts";
import type { HttpConfig, SecretSource } from "../config/config.ts";
import { type Abortable, type ConfigOrigin, readSecret } from "../config/config-origin.ts";
import { callHttp, type HttpResponse } from "../http-call.ts";
import { isSuccess } from "../json-response.ts";
import { fillHeader, fillUrl } from "./fill-http.ts";
import {
  outputMaxBytes,
  outputOf,
  reportedError,
  shownOf,
  type Written,
} from "./program-output.ts";

/**
 * `payload` is null for a prepare command, whose default method is GET instead of POST. `output`
 * hides the headers that seem to be secret, because the service may return them. Throws ActionError
 * with the error that the service reported, or with HTTP_<status>, SERVICE_UNREACHABLE,
 * SECRET_MISSING or PAYLOAD_INVALID. Rejects with the signal's reason.
 */
export async function runHttp(
  http: HttpConfig,
  payload: JsonObject | null,
  origin: Abortable,
  output: ActionOutput,
): Promise<Written> {
  const method = http.method ?? (payload === null ? "GET" : "POST");
  const body = payload === null || method === "GET" ? undefined : JSON.stringify(payload);
  const url = fillUrl(http.url, payload ?? {});
  const headers = await headersOf(http.headers, payload ?? {}, origin, output);
  const call = { method, url, headers, body, maxBytes: outputMaxBytes };
  const response = await callHttp(call, origin).catch((error: unknown) => {
    if (origin.signal.aborted) throw abortReason(origin.signal.reason);
    throw new ActionError("SERVICE_UNREACHABLE", messageOf(error));
  });
  if (!isSuccess(response)) throw statusError(response);
  return writtenOf(response);
}

function abortReason(reason: unknown): unknown {
  if (!(reason instanceof ActionError) || reason.code !== "COMMAND_CANCELLED") return reason;
  const message = "The call was aborted. The service may still be processing it.";
  return new ActionError(reason.code, message);
}

/** Only values in agent.yaml itself are templates. A secret is sent unchanged. */
async function headersOf(
  sources: Record<string, SecretSource>,
  payload: JsonObject,
  origin: ConfigOrigin,
  output: ActionOutput,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, source] of Object.entries(sources)) {
    const value =
      typeof source === "string"
        ? fillHeader(source, payload)
        : await secretFor(name, source, origin);
    if (value === null) continue;
    if (isSecretHeader(name, source)) output.hide(...secretsIn(name, value));
    headers[name] = value;
  }
  return headers;
}

/**
 * Hiding a value removes it wherever it occurs in the output, so only values that are probably
 * secret are hidden. Most values that are written in agent.yaml are common words, and many values
 * from the environment are not secret either, such as the name of a tenant.
 */
function isSecretHeader(name: string, source: SecretSource): boolean {
  if (typeof source === "string") return credentials.test(name) || /^cookie$/i.test(name);
  if ("file" in source) return true;
  return [name, source.env].some((each) => isSecretName(each) || secretWord.test(each));
}

const credentials = /^(?:proxy-)?authorization$/i;
/** Words that usually mark a secret in the name of a header, but are too common elsewhere. */
const secretWord = /(?:^|[-_])(?:key|auth|signature|session)(?:$|[-_])/i;

/** A service that received `Bearer KEY` usually returns only the key. */
function secretsIn(name: string, value: string): string[] {
  if (!credentials.test(name)) return [value];
  const [, afterScheme] = /^[\w-]+ +(\S.*)$/.exec(value) ?? [];
  return afterScheme === undefined ? [value] : [value, afterScheme];
}

async function secretFor(name: string, source: SecretSource, origin: ConfigOrigin) {
  try {
    return await readSecret(source, origin);
  } catch (error) {
    throw new ActionError(
      "SECRET_MISSING",
      `The header ${name} cannot be sent: ${messageOf(error)}.`,
    );
  }
}

function statusError(response: HttpResponse): ActionError {
  const { status } = response;
  const reported = reportedError(outputOf(writtenOf(response)));
  const moved = status >= 300 && status < 400 ? " Redirects are not followed." : "";
  const message = reported.message ?? `The service responded with status ${status}.${moved}`;
  const details =
    reported.details === undefined
      ? { body: shownOf(response.text) }
      : { details: reported.details };
  return new ActionError(reported.code ?? `HTTP_${status}`, message, { status, ...details });
}

function writtenOf({ text, cut, headers }: HttpResponse): Written {
  const length = Number(headers["content-length"]);
  return { text, cut, bytes: Number.isInteger(length) ? length : null };
}
