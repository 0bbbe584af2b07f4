// Finds the secrets in a command's payload, so that they can be stored separately and deleted when
// the command ends. The schema is not trusted, so the search stops after a fixed time.
// (docs/decisions/0011-secrets.md)

import { lookUp, parsePointer, writePointer } from "../../lib/json/json-pointer.ts";
import { withinTime } from "../../lib/within-time.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import { redactText } from "./redaction.ts";
import {
  allMarked,
  eitherOf,
  type Marks,
  marksAt,
  marksOf,
  mayMark,
  takeApart,
  unmarked,
} from "./secret-marks.ts";

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

/** A payload as it is shown. */
export type Shown = Omit<PayloadParts, "secrets">;

/** Splits each of the payloads into what can be shown and its secrets. */
export type Withhold = (payloads: readonly JsonObject[]) => PayloadParts[];

/** A value is a secret if any of the schemas marks it as one. */
export function withholdSecrets(payload: JsonObject, ...schemas: JsonObject[]): PayloadParts {
  const [parts] = withholder(schemas)([payload]) as [PayloadParts];
  return parts;
}

/**
 * Like `withholdSecrets`, for a payload that comes from elsewhere, such as from a rollout. What
 * that source withholds (`shown`) is withheld here, too.
 */
export function withholdAgain(
  payload: JsonObject,
  shown: Shown | undefined,
  ...schemas: JsonObject[]
): PayloadParts {
  if (!shown || shown.withheld.length === 0) return withholdSecrets(payload, ...schemas);
  const places = shown.withheld.filter((pointer) => {
    const [now, before] = [lookUp(payload, pointer), lookUp(shown.payload, pointer)];
    // The source may show a part of a text, such as a URL without its password.
    const text = now.found && typeof now.value === "string" ? redactText(now.value) : null;
    return text === null || !before.found || before.value !== text;
  });
  const also = marksAt(places.map((pointer) => parsePointer(pointer) ?? []));
  const [parts] = withholder(schemas, also)([payload]) as [PayloadParts];
  return parts;
}

/**
 * Like `withholdSecrets`, for several payloads. A value that is null, empty or already redacted is
 * not a secret. If the schemas cannot be read at all, or not in time for all payloads of one call,
 * every value is a secret. `also` marks further secrets.
 */
export function withholder(schemas: readonly JsonObject[], also: Marks = unmarked): Withhold {
  let marks: Marks | null = schemas.some(mayMark) ? null : also;
  const split = (payloads: readonly JsonObject[], by: Marks) =>
    payloads.map((payload) => takeApart(payload, by));
  return (payloads) => {
    if (marks === also || marks === allMarked) return split(payloads, marks);
    const found = withinTime(searchMs, () => {
      marks ??= also === unmarked ? marksOf(schemas) : eitherOf([also, marksOf(schemas)]);
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
