// Finds the secrets in a command's payload, so that they can be stored separately and deleted when
// the command ends. The schema is not trusted, so the search stops after a fixed time.
// (docs/decisions/0011-secrets.md)

import { writePointer } from "../../lib/json/json-pointer.ts";
import { withinTime } from "../../lib/within-time.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import { allMarked, type Marks, marksOf, mayMark, takeApart, unmarked } from "./secret-marks.ts";

/** How long the search may take, which is longer than almost any honest schema needs. */
const searchMs = 50;

export interface PayloadParts {
  /** The payload, with `[REDACTED]` in place of each secret. */
  payload: JsonObject;
  /** JSON Pointers to the secrets. */
  withheld: string[];
  /** The secrets, in the order of `withheld`. */
  secrets: Json[];
}

/** Splits each of the payloads into what can be shown and its secrets. */
export type Withhold = (payloads: readonly JsonObject[]) => PayloadParts[];

/** A value is a secret if any of the schemas marks it as one. */
export function withholdSecrets(payload: JsonObject, ...schemas: JsonObject[]): PayloadParts {
  const [parts] = withholder(schemas)([payload]) as [PayloadParts];
  return parts;
}

/**
 * Like `withholdSecrets`, for several payloads. A value that is null, empty or already redacted is
 * not a secret. If the schemas cannot be read at all, or not in time for all payloads of one call,
 * every value is a secret.
 */
export function withholder(schemas: readonly JsonObject[]): Withhold {
  let marks: Marks | null = schemas.some(mayMark) ? null : unmarked;
  const split = (payloads: readonly JsonObject[], by: Marks) =>
    payloads.map((payload) => takeApart(payload, by));
  return (payloads) => {
    if (marks === unmarked || marks === allMarked) return split(payloads, marks);
    const found = withinTime(searchMs, () => {
      marks ??= marksOf(schemas);
      return split(payloads, marks);
    });
    if (found.outcome === "done") return found.value;
    marks = allMarked;
    return split(payloads, marks);
  };
}

/** Reverses `withholdSecrets`. */
export function wholePayload({ payload, withheld, secrets }: PayloadParts): JsonObject {
  if (withheld.length === 0) return payload;
  const whole = structuredClone(payload);
  for (const [index, pointer] of withheld.entries()) {
    writePointer(whole, pointer, secrets[index] as Json);
  }
  return whole;
}
