// The secrets in the target of a schedule. They are stored separately, like those of a command.
// (docs/decisions/0011-secrets.md)

import { sameJson } from "../../lib/json/json-equal.ts";
import { parsePointer, pointerStep, writePointer } from "../../lib/json/json-pointer.ts";
import { formatSelector, parseSelector } from "../fleet/selectors.ts";
import type { JsonObject } from "../payload/json.ts";
import { joined, keptSecrets, redactedPlaces } from "../secrets/kept-secrets.ts";
import {
  type PayloadParts,
  type Shown,
  type Withhold,
  wholePayload,
} from "../secrets/payload-secrets.ts";
import { redactText } from "../secrets/redaction.ts";
import type { Schedule, ScheduleTarget } from "./schedules.ts";

export type TargetParts = Pick<Schedule, "target" | "withheld" | "secrets">;

export function withholdTarget(target: ScheduleTarget, withhold: Withhold): TargetParts {
  const copy = { ...target };
  if (copy.kind === "rollout") copy.payloadByService = { ...copy.payloadByService };
  const shown = withShownReason(copy);
  const parts: TargetParts = { target: shown, withheld: [], secrets: [] };
  const payloads = payloadsOf(target);
  const split = withhold(payloads.map(([, payload]) => payload));
  for (const [at, { payload, withheld, secrets }] of split.entries()) {
    const [pointer] = payloads[at] as (typeof payloads)[number];
    parts.withheld.push(...withheld.map((inside) => pointer + inside));
    parts.secrets.push(...secrets);
    writePointer(shown, pointer, payload);
  }
  return parts;
}

/** Also withholds what was not known to be secret when the parts were stored. */
export function withholdMore(parts: TargetParts, withhold: Withhold): TargetParts {
  return toTarget(joined(toPayload(withholdTarget(parts.target, withhold)), parts));
}

/** Reverses `withholdTarget`. */
export function wholeTarget(parts: TargetParts): ScheduleTarget {
  return wholePayload(toPayload(parts)) as unknown as ScheduleTarget;
}

/**
 * Returns each payload as it is shown, by the code of its service. The common payload has the key
 * null.
 */
export function shownPayloads({ target, withheld }: TargetParts): Map<string | null, Shown> {
  const shown = payloadsOf(target).map(([pointer, payload]): [string, Shown] => [
    pointer,
    { payload, withheld: [] },
  ]);
  const byPointer = new Map(shown);
  for (const place of withheld) {
    const [start = ""] = /^\/payload(ByService\/[^/]*)?/.exec(place) ?? [];
    byPointer.get(start)?.withheld.push(place.slice(start.length));
  }
  return new Map(shown.map(([pointer, one]) => [parsePointer(pointer)?.[1] ?? null, one]));
}

export interface Edit extends TargetParts {
  /** Whether the edit contains secrets that are not stored yet. */
  gives: boolean;
}

type Before = TargetParts & Pick<Schedule, "secretsGiven">;

/**
 * Splits an edited target into what is shown and its secrets. `[REDACTED]` keeps a stored secret if
 * the caller (`giver`) gave it and the same action runs on the same choice of services. Secrets
 * that others gave are kept only if the target is unchanged and the service has not passed to
 * another agent since the target was saved (`isElsewhere`), because saving the target again would
 * accept that agent.
 */
export function editTarget(
  target: ScheduleTarget,
  before: Before | null,
  withhold: Withhold,
  giver: string,
  isElsewhere = false,
): Edit {
  const isGiver = before?.secretsGiven?.by === giver;
  if (before !== null && isShownAs(target, before.target) && (isGiver || !isElsewhere)) {
    const { target: shown, withheld, secrets } = before;
    return { target: shown, withheld, secrets, gives: false };
  }
  const fresh = withholdTarget(target, withhold);
  const mayKeep = before !== null && isGiver && isSameAim(target, before.target);
  const kept = mayKeep ? keptSecrets(toJson(target), toPayload(before)) : nothing;
  return { ...toTarget(joined(toPayload(fresh), kept)), gives: fresh.withheld.length > 0 };
}

const nothing = { withheld: [], secrets: [] };

/** Whether a target is unchanged since `get` showed it, and therefore contains no new secrets. */
function isShownAs(target: ScheduleTarget, shown: ScheduleTarget): boolean {
  return sameJson(withShownReason({ ...target }), shown);
}

/** Returns JSON Pointers to the secrets that must still be given. */
export function missingSecrets(parts: TargetParts): string[] {
  const payloads = payloadsOf(wholeTarget(parts));
  return payloads.flatMap(([pointer, payload]) => redactedPlaces(payload, pointer));
}

/** Whether both run the same action on the same service or choice of services. */
function isSameAim(one: ScheduleTarget, other: ScheduleTarget): boolean {
  return sameJson(aimOf(one), aimOf(other));
}

function aimOf(target: ScheduleTarget) {
  const { kind, action } = target;
  if (target.kind === "action") return { kind, action, service: target.service };
  const { selector, services, agents, status } = target;
  // Spaces and quotes do not change what a selector chooses.
  const meant = selector === undefined ? undefined : formatSelector(parseSelector(selector));
  const [ofServices, ofAgents, ofStatus] = [services, agents, status].map((all) => all?.toSorted());
  return { kind, action, meant, ofServices, ofAgents, ofStatus };
}

function withShownReason(target: ScheduleTarget): ScheduleTarget {
  if (target.reason !== undefined) target.reason = redactText(target.reason);
  return target;
}

function toJson(target: ScheduleTarget): JsonObject {
  return target as unknown as JsonObject;
}

function toPayload({ target, withheld, secrets }: TargetParts): PayloadParts {
  return { payload: toJson(target), withheld, secrets };
}

function toTarget({ payload, withheld, secrets }: PayloadParts): TargetParts {
  return { target: payload as unknown as ScheduleTarget, withheld, secrets };
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
