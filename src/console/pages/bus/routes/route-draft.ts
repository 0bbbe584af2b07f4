// A route as it is being written: each field as text, with rows where the rule has maps.

import type { Input, Reply } from "../../../client/call.ts";
import { texts } from "../../../texts/index.ts";

export type Route = Reply<"bus-routes.get">;
export type RouteState = Route["state"];
export type Rule = Input<"bus-routes.create">["body"];

export const routeStates: readonly RouteState[] = ["DISABLED", "DRY_RUN", "ENABLED"];

export interface DataRow {
  key: number;
  pointer: string;
  /** JSON. */
  value: string;
}

export interface PayloadRow {
  key: number;
  field: string;
  kind: "pointer" | "constant";
  /** A JSON Pointer, or JSON. */
  from: string;
}

export interface RouteDraft {
  name: string;
  description: string;
  state: RouteState;
  type: string;
  source: string;
  data: DataRow[];
  serviceCode: string;
  action: string;
  /** The payload is the whole event, and the rows do not count. */
  isWholeEvent: boolean;
  payload: PayloadRow[];
}

/** What cannot be sent, by row: `data.0`, `payload.2`. */
export type RowProblems = ReadonlyMap<string, string>;

/** A part of the form: the draft, how to change it, and what is wrong with it. */
export interface DraftPart {
  draft: RouteDraft;
  onChange: (change: Partial<RouteDraft>) => void;
  /** As the server refused it. */
  error: unknown;
  problems: RowProblems;
}

/** A rule to be tried, which the server takes with a name only: which one matters to nobody. */
export function namedRule(rule: Rule): Rule {
  return { ...rule, name: rule.name.trim() || texts.busRoutes.newTitle };
}

export function emptyDraft(event?: { type: string; source: string }): RouteDraft {
  return {
    name: "",
    description: "",
    state: "DISABLED",
    type: event?.type ?? "",
    source: event?.source ?? "",
    data: [],
    serviceCode: "",
    action: "",
    isWholeEvent: true,
    payload: [],
  };
}

export function draftOf({ match, target, payload, ...route }: Route): RouteDraft {
  return {
    name: route.name,
    description: route.description ?? "",
    state: route.state,
    type: match.type,
    source: match.source ?? "",
    data: Object.entries(match.data ?? {}).map(([pointer, value], key) => ({
      key,
      pointer,
      value: JSON.stringify(value),
    })),
    ...target,
    isWholeEvent: payload === undefined,
    payload: Object.entries(payload ?? {}).map(([field, from], key) => ({
      key,
      field,
      ...(typeof from === "string"
        ? { kind: "pointer" as const, from }
        : { kind: "constant" as const, from: JSON.stringify(from.const) }),
    })),
  };
}

/** Only what somebody writes of a route: what `PUT` takes beside the version. */
export function ruleOfRoute({ name, description, state, match, target, payload }: Route): Rule {
  return { name, description, state, match, target, payload };
}

export function isSameDraft(one: RouteDraft, other: RouteDraft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** A key that no row has. */
export function nextKey(rows: readonly { key: number }[]): number {
  return Math.max(-1, ...rows.map(({ key }) => key)) + 1;
}
