// The secrets in what a schedule runs. They are stored apart, as those of a command are.
// (docs/decisions/0011-secrets.md)

import { jsonEqual } from "../../lib/json/json-equal.ts";
import { lookUp, pointerStep, writePointer } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import { wholePayload, withholdSecrets } from "../payload/payload-secrets.ts";
import { redacted, redactText } from "../payload/redaction.ts";
import type { Schedule, ScheduleTarget } from "./schedules.ts";

export type TargetParts = Pick<Schedule, "target" | "withheld" | "secrets">;

/** What any of the schemas marks as a secret is one. */
export function withholdTarget(
  target: ScheduleTarget,
  schemas: readonly JsonObject[],
): TargetParts {
  const shown = structuredClone(target) as ScheduleTarget;
  if (shown.reason !== undefined) shown.reason = redactText(shown.reason);
  const parts: TargetParts = { target: shown, withheld: [], secrets: [] };
  for (const [pointer, payload] of payloadsOf(target)) {
    let rest = payload;
    for (const schema of schemas.length === 0 ? [{}] : schemas) {
      const found = withholdSecrets(rest, schema);
      rest = found.payload;
      // A secret that contains earlier ones comes before them, so that it is put back first.
      parts.withheld.unshift(...found.withheld.map((inside) => pointer + inside));
      parts.secrets.unshift(...found.secrets);
    }
    writePointer(shown, pointer, rest);
  }
  return parts;
}

/** Reverses `withholdTarget`. */
export function wholeTarget({ target, withheld, secrets }: TargetParts): ScheduleTarget {
  const payload = target as unknown as JsonObject;
  return wholePayload({ payload, withheld, secrets }) as unknown as ScheduleTarget;
}

/** Puts the stored secrets into a new target where it shows them as `get` does. */
export function withKeptSecrets(target: ScheduleTarget, before: TargetParts): ScheduleTarget {
  const kept = structuredClone(target);
  const old = structuredClone(before.target);
  for (const [index, pointer] of before.withheld.entries()) {
    const secret = before.secrets[index];
    const [now, shown] = [lookUp(kept, pointer), lookUp(old, pointer)];
    if (now.found && shown.found && jsonEqual(now.value, shown.value)) {
      writePointer(kept, pointer, secret);
    }
    writePointer(old, pointer, secret);
  }
  return kept;
}

/** Returns JSON Pointers to what `get` shows in place of secrets. */
export function missingSecrets(target: ScheduleTarget): string[] {
  return payloadsOf(target).flatMap(([pointer, payload]) => redactedIn(payload, pointer));
}

function redactedIn(value: Json, pointer: string): string[] {
  if (typeof value === "string") return value.includes(redacted) ? [pointer] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) =>
    redactedIn(inside, `${pointer}/${pointerStep(key)}`),
  );
}

function payloadsOf(target: ScheduleTarget): [pointer: string, payload: JsonObject][] {
  const own: [string, JsonObject][] =
    target.kind === "rollout"
      ? Object.entries(target.payloadByService).map(([code, payload]) => [
          `/payloadByService/${pointerStep(code)}`,
          payload,
        ])
      : [];
  return [["/payload", target.payload], ...own];
}
