// The secrets that are stored with schedules and bus routes. Responses show them as [REDACTED], and
// an edit that contains [REDACTED] in the same place can keep them.
// (docs/decisions/0011-secrets.md)

import { jsonEqual } from "../../lib/json/json-equal.ts";
import { lookUp, pointerStep, writePointer } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import type { PayloadParts } from "./payload-secrets.ts";
import { redacted } from "./redaction.ts";

type Withheld = Pick<PayloadParts, "withheld" | "secrets">;

/** A secret that contains others comes before them, so that `wholePayload` puts it back first. */
export function joined(outer: PayloadParts, inner: Withheld): PayloadParts {
  return {
    payload: outer.payload,
    withheld: [...outer.withheld, ...inner.withheld],
    secrets: [...outer.secrets, ...inner.secrets],
  };
}

/** Returns the stored secrets for which `edited` contains what `before` shows in their place. */
export function keptSecrets(edited: JsonObject, before: PayloadParts): Withheld {
  const kept: Withheld = { withheld: [], secrets: [] };
  const [now, old] = [structuredClone(edited), structuredClone(before.payload)];
  for (const [index, pointer] of before.withheld.entries()) {
    const secret = before.secrets[index] as Json;
    const [given, shown] = [lookUp(now, pointer), lookUp(old, pointer)];
    if (given.found && shown.found && jsonEqual(given.value, shown.value)) {
      writePointer(now, pointer, secret);
      kept.withheld.push(pointer);
      kept.secrets.push(secret);
    }
    // A secret inside another one cannot be found while the outer one is redacted.
    if (shown.found) writePointer(old, pointer, secret);
  }
  return kept;
}

/** Returns JSON Pointers to the texts that contain `[REDACTED]`. */
export function redactedPlaces(value: Json, pointer = ""): string[] {
  if (typeof value === "string") return value.includes(redacted) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) =>
    redactedPlaces(inside, `${pointer}/${pointerStep(key)}`),
  );
}
