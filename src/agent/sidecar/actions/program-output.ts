import { jsonMaxDepth } from "../../../domain/limits.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { openSecretLength } from "../../../domain/secrets/redaction.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import { ActionError } from "../../connection/errors.ts";
import type { Prepared } from "../../services/services.ts";

export interface Written {
  text: string;
  cut: boolean;
  /** The size of the whole output; null if unknown. */
  bytes: number | null;
}

/** The limit for output in a result. By default the server accepts results of up to 1 MB. */
export const outputMaxBytes = 256 * 1024;

/** The limit for output in a failure's details, in characters. */
const shownLength = 4000;

/** The result, or the response to a prepare command, adds levels around the output. */
const maxDepth = jsonMaxDepth - 2;

/** Empty output becomes null. Truncated output becomes an object with a message. */
export function outputOf({ text, cut, bytes }: Written): Json {
  if (!cut) return meaningOf(text);
  const size = bytes === null ? "" : ` (${formatBytes(bytes)})`;
  const message = `The output${size} was cut to its first ${formatBytes(outputMaxBytes)}.`;
  return { truncated: true, ...(bytes === null ? {} : { bytes }), message, output: cutOff(text) };
}

/**
 * Output that is not a form counts as the current state. Throws ActionError OUTPUT_TOO_LARGE for a
 * truncated form, and FORM_INVALID for a form that is not valid JSON.
 */
export function preparedFrom(written: Written): Prepared {
  if (written.cut && written.text.trimStart().startsWith("{")) {
    const message = `The form is larger than ${formatBytes(outputMaxBytes)}.`;
    throw new ActionError("OUTPUT_TOO_LARGE", message);
  }
  const value = outputOf(written);
  if (typeof value === "string" && looksLikeForm(value)) {
    const parsed = parseStrictJson(written.text, maxDepth);
    const why = parsed.ok ? "" : ` ${parsed.message}`;
    throw new ActionError("FORM_INVALID", `The form that prepare returned is not JSON.${why}`);
  }
  return isForm(value) ? value : { currentState: value };
}

export interface ReportedError {
  code?: string;
  message?: string;
  details?: Json;
}

/**
 * Reads `{ "error": { "code", "message", "details" } }`, problem+json (RFC 9457: `title`,
 * `detail`), `{ "error": "…" }` and `{ "message": "…" }`.
 */
export function reportedError(value: Json): ReportedError {
  if (!isJsonObject(value)) return {};
  const { error, detail, title, message } = value;
  if (isJsonObject(error)) {
    return {
      ...textField("code", error.code),
      ...textField("message", error.message),
      ...(error.details === undefined ? {} : { details: error.details }),
    };
  }
  return textField("message", [detail, title, message, error].find(isText));
}

export function shownOf(text: string): string {
  return text.length > shownLength ? cutOff(text.slice(0, shownLength)) : text;
}

/**
 * Omits the beginning of a secret that redaction recognizes by its form, but only with its end. The
 * secrets of the payload and of the program's environment are not known here.
 */
function cutOff(text: string): string {
  return text.slice(0, text.length - openSecretLength(text));
}

/** JSON that the server would refuse counts as text, and so do numbers such as 1.10. */
function meaningOf(text: string): Json {
  if (text.trim() === "") return null;
  const parsed = parseStrictJson(text, maxDepth);
  const isNumber = parsed.ok && typeof parsed.value === "number";
  const isText = !parsed.ok || (isNumber && String(parsed.value) !== text.trim());
  return isText ? text.replace(/\r?\n$/, "") : (parsed.value as Json);
}

const formFields = new Set(["inputSchema", "initialPayload", "currentState", "stateFingerprint"]);

function looksLikeForm(text: string): boolean {
  const named = [...formFields].some((field) => text.includes(`"${field}"`));
  return named && text.trimStart().startsWith("{");
}

function isForm(value: Json): value is JsonObject & Prepared {
  if (!isJsonObject(value)) return false;
  const fields = Object.keys(value);
  const { inputSchema } = value;
  const isSchema = inputSchema === undefined || isJsonObject(inputSchema);
  return isSchema && fields.length > 0 && fields.every((field) => formFields.has(field));
}

function textField(name: "code" | "message", value: Json | undefined): ReportedError {
  return isText(value) ? { [name]: value } : {};
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}
