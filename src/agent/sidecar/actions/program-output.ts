// What a text from a program or a service means: JSON when it is JSON, else the text itself.

import { jsonMaxDepth } from "../../../domain/limits.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { parseStrictJson } from "../../../lib/json/strict-json.ts";
import { ActionError } from "../../connection/errors.ts";
import type { Prepared } from "../../services/services.ts";

export interface Written {
  text: string;
  /** There was more of it. */
  cut: boolean;
  /** Of all that there was; null when it is not known. */
  bytes: number | null;
}

/** A program's or a service's text is kept up to here; the server takes a result of 1 MB by default. */
export const outputMaxBytes = 256 * 1024;

/** Of a text, in the details of a failure. */
const shownLength = 4000;

/** The result, the answer to a prepare, and their wrapping are around it. */
const maxDepth = jsonMaxDepth - 2;

/** Null for nothing. A text that was cut comes in an object that says so. */
export function outputOf({ text, cut, bytes }: Written): Json {
  if (!cut) return meaningOf(text);
  const size = bytes === null ? "" : ` (${formatBytes(bytes)})`;
  const message = `The output${size} was cut: these are its first ${formatBytes(outputMaxBytes)}.`;
  return { truncated: true, ...(bytes === null ? {} : { bytes }), message, output: text };
}

/**
 * The form: `{ inputSchema?, initialPayload?, currentState? }` and nothing else. Whatever else was
 * written is the current state. Throws ActionError OUTPUT_TOO_LARGE for what may be a form that was cut, and
 * FORM_INVALID for one that is not JSON: as text it would be the state, and its values would be lost.
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
    throw new ActionError("FORM_INVALID", `The form that the prepare wrote is not JSON.${why}`);
  }
  return isForm(value) ? value : { currentState: value };
}

/** What a text says of a failure, as far as it says something. */
export interface ToldError {
  code?: string;
  message?: string;
  details?: Json;
}

/**
 * From `{ "error": { "code", "message", "details" } }`, from problem+json (RFC 9457: `title`, `detail`),
 * from `{ "error": "…" }` and from `{ "message": "…" }`.
 */
export function toldError(value: Json): ToldError {
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

/** The beginning, for the details of a failure. */
export function shownOf(text: string): string {
  return text.slice(0, shownLength);
}

/** JSON that the server would not take counts as text, and so does a number that would change: 1.10. */
function meaningOf(text: string): Json {
  if (text.trim() === "") return null;
  const parsed = parseStrictJson(text, maxDepth);
  const isNumber = parsed.ok && typeof parsed.value === "number";
  const isText = !parsed.ok || (isNumber && String(parsed.value) !== text.trim());
  return isText ? text.replace(/\r?\n$/, "") : (parsed.value as Json);
}

const formFields = new Set(["inputSchema", "initialPayload", "currentState"]);

/** A text that was meant to be one: an object that names one of its fields. */
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

function textField(name: "code" | "message", value: Json | undefined): ToldError {
  return isText(value) ? { [name]: value } : {};
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string" && value.trim() !== "";
}
