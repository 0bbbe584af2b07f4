// A payload as text, with placeholders for its secrets.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { exchangeSecrets, secretMarks } from "../../../../domain/secrets/hidden.ts";
import { type ReadJson, readExactJson } from "../../../client/exact-json.ts";
import { texts } from "../../../texts/index.ts";

const words = texts.schemaForm.json;

/** Stands for a secret in text that cannot be edited. */
export const dots = "••••••";
/** Matches the placeholders of secrets in text that can be edited. */
const placeholders = /^•{6}( \d+)?$/;
const placeholder = (index: number) => `${dots} ${index + 1}`;

type ReadPayload =
  | { payload: JsonObject; problem?: undefined }
  | { payload?: undefined; problem: string };

/** A payload as text that can be edited, with placeholders for its secrets. */
export interface Written {
  text: string;
  secrets: readonly Json[];
}

export function writePayload(payload: JsonObject, schema: JsonObject): Written {
  const hidden = exchangeSecrets(payload, secretMarks(schema), placeholder);
  return { text: JSON.stringify(hidden.payload, null, 2), secrets: hidden.secrets };
}

export function readPayload({ text, secrets }: Written): ReadPayload {
  let read: ReadJson;
  try {
    read = readExactJson(text);
  } catch (error) {
    const place = placeOf((error as Error).message, text);
    return { problem: place ? words.wrongAt(place) : words.wrong };
  }
  if (read.problem !== undefined) return read;
  const { value } = read;
  if (!isJsonObject(value)) return { problem: words.noObject({ example: "{ … }" }) };
  const payload = withSecrets(value, secrets);
  return payload ? { payload } : { problem: words.unknownSecret };
}

/** Puts the secrets back where their placeholders are. Returns null if a placeholder is unknown. */
function withSecrets(edited: JsonObject, secrets: readonly Json[]): JsonObject | null {
  let isWhole = true;
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (isJsonObject(value)) return visitObject(value);
    if (typeof value !== "string" || !placeholders.test(value)) return value;
    const at = secrets.findIndex((_, index) => placeholder(index) === value);
    if (at < 0) isWhole = false;
    return secrets[at] ?? value;
  };
  const visitObject = (object: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(object).map(([key, value]) => [key, visit(value)]));
  const whole = visitObject(edited);
  return isWhole ? whole : null;
}

/**
 * Returns the position that a JSON error's message names, counted from 1, or null if it names none.
 * Each browser words the message differently.
 */
export function placeOf(message: string, text: string): { line: number; column: number } | null {
  const named = /line (\d+) column (\d+)/.exec(message);
  if (named) return { line: Number(named[1]), column: Number(named[2]) };
  const counted = /position (\d+)/.exec(message);
  const position = counted
    ? Number(counted[1])
    : /end of (JSON )?(input|data)|EOF/i.test(message)
      ? text.length
      : null;
  if (position === null) return null;
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
