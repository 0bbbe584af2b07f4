// Hides the secrets of payloads in the terminal and in the console, by the same rule as the store.
// (docs/decisions/0011-secrets.md)

import { lookUp, writePointer } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import { redacted } from "./redaction.ts";
import { allMarked, type Marks, marksOf, takeApart } from "./secret-marks.ts";

/**
 * The maximum number of steps, which is enough for honest schemas. With larger schemas, every value
 * is hidden.
 */
const maxSteps = 20_000;

/** Never throws. If the schema cannot be read, every value is marked as secret. */
export function secretMarks(schema: JsonObject): Marks {
  try {
    // `marksOf` changes the schema that it reads.
    return marksOf([structuredClone(schema)], maxSteps);
  } catch {
    return allMarked;
  }
}

/**
 * Replaces each secret value with the placeholder. If only a part of a text is secret, such as the
 * password in a URL, replaces that part with `[REDACTED]`.
 */
export function shownPayload(payload: JsonObject, marks: Marks, placeholder: string): JsonObject {
  const { payload: shown, withheld } = takeApart(payload, marks);
  for (const pointer of withheld) {
    const found = lookUp(shown, pointer);
    if (found.found && found.value === redacted) writePointer(shown, pointer, placeholder);
  }
  return shown;
}

/** For text that can be edited: each secret gets its own placeholder. */
export function exchangeSecrets(
  payload: JsonObject,
  marks: Marks,
  placeholder: (index: number) => string,
): { payload: JsonObject; secrets: Json[] } {
  const { payload: shown, withheld, secrets } = takeApart(payload, marks);
  for (const [index, pointer] of withheld.entries()) {
    writePointer(shown, pointer, placeholder(index));
  }
  return { payload: shown, secrets };
}
