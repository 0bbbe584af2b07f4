// Hides the secrets of a payload wherever the console shows one, by the rule of the server.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { redacted } from "../../../../domain/payload/redaction.ts";
import {
  allMarked,
  type Marks,
  marksOf,
  takeApart,
} from "../../../../domain/payload/secret-marks.ts";
import { lookUp, writePointer } from "../../../../lib/json/json-pointer.ts";

const dots = "••••••";
/** Enough for honest schemas. With larger ones, every value is hidden. */
const maxSteps = 20_000;

/** For a confirmation. */
export function shownPayload(payload: JsonObject, schema: JsonObject): JsonObject {
  const parts = takeApart(payload, safeMarks(schema));
  for (const pointer of parts.withheld) {
    const shown = lookUp(parts.payload, pointer);
    if (shown.found && shown.value === redacted) writePointer(parts.payload, pointer, dots);
  }
  return parts.payload;
}

/** For text that can be edited. Has a numbered placeholder for each secret. */
export function hideSecrets(payload: JsonObject, schema: JsonObject) {
  const { payload: shown, withheld, secrets } = takeApart(payload, safeMarks(schema));
  for (const [at, pointer] of withheld.entries()) writePointer(shown, pointer, placeholder(at));
  return { payload: shown, secrets };
}

/** Puts the secrets back, wherever their placeholders are now. Returns null if one is unknown. */
export function withSecrets(edited: JsonObject, secrets: readonly Json[]): JsonObject | null {
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

const placeholders = /^•{6}( \d+)?$/;

function placeholder(at: number): string {
  return `${dots} ${at + 1}`;
}

function safeMarks(schema: JsonObject): Marks {
  try {
    // Reading a schema writes into it.
    return marksOf([structuredClone(schema)], maxSteps);
  } catch {
    return allMarked;
  }
}
