// Whether a route matches an event, condition by condition.

import { jsonEqual } from "../../lib/json/json-equal.ts";
import { lookUp } from "../../lib/json/json-pointer.ts";
import type { Json } from "../payload/json.ts";
import type { BusEvent } from "./bus-events.ts";
import type { RouteRule } from "./bus-routes.ts";

interface Clause {
  clause: "type" | "source" | "data";
  /** The JSON Pointer of a `data` condition; other conditions have none. */
  pointer?: string;
  expected: Json;
  /** The event's value; absent if the event has none. */
  actual?: Json;
  matched: boolean;
}

/** Whether type and source match, which can be checked before the event's data is read. */
export function mayMatch(
  { match }: Pick<RouteRule, "match">,
  { type, source }: Pick<BusEvent, "type" | "source">,
): boolean {
  return typeMatches(match.type, type) && (match.source === undefined || match.source === source);
}

/** Checks every condition of the route against the event, in the order type, source, data. */
export function matchRoute(
  route: Pick<RouteRule, "match">,
  event: BusEvent,
): { matched: boolean; clauses: Clause[] } {
  const { type, source, data } = route.match;
  const clauses: Clause[] = [
    { clause: "type", expected: type, actual: event.type, matched: typeMatches(type, event.type) },
  ];
  if (source !== undefined) {
    const matched = source === event.source;
    clauses.push({ clause: "source", expected: source, actual: event.source, matched });
  }
  for (const [pointer, expected] of Object.entries(data ?? {})) {
    clauses.push(dataClause(pointer, expected, event.data));
  }
  return { matched: clauses.every(({ matched }) => matched), clauses };
}

function typeMatches(pattern: string, type: string): boolean {
  return pattern.endsWith(".*") ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}

function dataClause(pointer: string, expected: Json, data: Json | undefined): Clause {
  const there = lookUp(data, pointer);
  if (!there.found) return { clause: "data", pointer, expected, matched: false };
  const actual = there.value as Json;
  return { clause: "data", pointer, expected, actual, matched: jsonEqual(expected, actual) };
}
