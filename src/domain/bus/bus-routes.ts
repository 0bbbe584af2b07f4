// Rules of bus routes, and the payloads that routes make from events.

import { problemOfNumbers } from "../../lib/json/exact-numbers.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import { lookUp, parsePointer } from "../../lib/json/json-pointer.ts";
import type { Declared } from "../declarations.ts";
import type { Issue } from "../errors.ts";
import { mappedPayloadMaxLength } from "../limits.ts";
import type { Json, JsonObject } from "../payload/json.ts";
import type { SecretsGiven } from "../secrets/secrecy.ts";
import { type BusEvent, eventFields, eventTypeMaxLength, eventTypePattern } from "./bus-events.ts";

export const routeStates = ["DISABLED", "DRY_RUN", "ENABLED"] as const;
export type RouteState = (typeof routeStates)[number];

export interface RouteMatch {
  /** The exact type of the event, or a prefix followed by `.*`. */
  type: string;
  /** The code of the service that the event is about; if absent, any service matches. */
  source?: string | undefined;
  /** Expected values by JSON Pointer into the event's `data`. */
  data?: JsonObject | undefined;
}

/** A JSON Pointer into the event, or a constant. */
export type PayloadSource = string | { const: Json };

/** The part of a route that operators write. */
export interface RouteRule {
  name: string;
  description?: string | undefined;
  state: RouteState;
  match: RouteMatch;
  target: { serviceCode: string; action: string };
  /** If absent, the payload is `{ event }`. */
  payload?: Record<string, PayloadSource> | undefined;
}

export interface RouteSecretsGiven extends SecretsGiven {
  /**
   * The agent that had the service when the secrets were given. If absent, there was no such
   * service then, and any agent gets the secrets.
   */
  agentId?: string | undefined;
}

/** Times are Unix milliseconds. */
export interface BusRoute extends RouteRule, Declared {
  id: string;
  /** JSON Pointers to the constants that are secret, and are shown as `[REDACTED]`. */
  withheld: string[];
  /** The secrets, in the order of `withheld`. */
  secrets: Json[];
  /** Null if there are no secrets. */
  secretsGiven: RouteSecretsGiven | null;
  /** Increases with each change. Callers send the version that they have seen. */
  version: number;
  createdAt: number;
  updatedAt: number;
}

export function mapPayload(
  route: Pick<RouteRule, "payload">,
  event: BusEvent,
): { payload: JsonObject } | { problems: string[] } {
  const whole: [string, Json] = ["event", event as unknown as Json];
  const problems: string[] = [];
  const fields: [string, Json][] = route.payload ? [] : [whole];
  for (const [field, from] of Object.entries(route.payload ?? {})) {
    if (typeof from !== "string") {
      fields.push([field, from.const]);
      continue;
    }
    const there = lookUp(event, from);
    if (there.found) fields.push([field, there.value as Json]);
    else problems.push(`the event has no value at ${from}, the source of ${field}`);
  }
  if (isTooLong(fields)) return { problems: [...problems, "it would be larger than 1 MiB"] };
  const payload = Object.fromEntries(fields);
  const rounded = problemOfNumbers(payload);
  if (rounded !== null) problems.push(rounded);
  return problems.length > 0 ? { problems } : { payload };
}

/** Stops at the limit, because each of many fields can contain the whole event. */
function isTooLong(fields: [string, Json][]): boolean {
  let length = 0;
  for (const field of fields) {
    length += JSON.stringify(field).length;
    if (length > mappedPayloadMaxLength) return true;
  }
  return false;
}

/**
 * Whether both routes are enabled and run the same action on the same service for the same events.
 */
export function isDuplicateOf(one: RouteRule, other: RouteRule): boolean {
  return (
    one.state === "ENABLED" &&
    other.state === "ENABLED" &&
    one.match.type === other.match.type &&
    one.match.source === other.match.source &&
    jsonEqual(one.match.data ?? {}, other.match.data ?? {}) &&
    one.target.serviceCode === other.target.serviceCode &&
    one.target.action === other.target.action
  );
}

/** Codes and names are checked elsewhere. */
export function issuesOfRule({ match, payload }: Pick<RouteRule, "match" | "payload">): Issue[] {
  const issues: Issue[] = [];
  if (!isTypePattern(match.type)) {
    const message = "must be a dotted name such as order.created, or a prefix such as order.*";
    issues.push({ path: "match.type", message });
  }
  for (const pointer of Object.keys(match.data ?? {})) {
    if (!parsePointer(pointer)) issues.push(notPointer("match.data", pointer));
  }
  for (const [field, from] of Object.entries(payload ?? {})) {
    if (typeof from === "string" && !parsePointer(from)) {
      issues.push(notPointer(`payload.${field}`, from));
    }
  }
  return issues;
}

function isTypePattern(text: string): boolean {
  const name = text.endsWith(".*") ? text.slice(0, -2) : text;
  return text.length <= eventTypeMaxLength && eventTypePattern.test(name);
}

function notPointer(path: string, text: string): Issue {
  const shown = JSON.stringify(text);
  return { path, message: `must be a JSON Pointer such as /orderId or /items/0, not ${shown}` };
}

/** Returns a sentence for each part of a rule that is valid but looks like a mistake. */
export function doubtsOfRule({ match, payload }: Pick<RouteRule, "match" | "payload">): string[] {
  const doubts: string[] = [];
  for (const pointer of Object.keys(match.data ?? {})) {
    const [first, second] = parsePointer(pointer) ?? [];
    if (first !== "data" || second === undefined) continue;
    const meant = pointer.slice("/data".length);
    doubts.push(
      `match.data: ${pointer} is a pointer into the event's data; did you mean ${meant}?`,
    );
  }
  for (const [field, from] of Object.entries(payload ?? {})) {
    if (typeof from !== "string") continue;
    const [first] = parsePointer(from) ?? [];
    if (first === undefined || (eventFields as readonly string[]).includes(first)) continue;
    const doubt = `/${first} is not a field of every event; did you mean /data${from}?`;
    doubts.push(`payload.${field}: ${doubt}`);
  }
  return doubts;
}
