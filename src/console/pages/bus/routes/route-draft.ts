// The draft of a route in the editor: fields are text, and maps are lists of rows. `ruleOf` reports
// only values that no rule can contain; the server checks the rest.

import type { Input, Reply } from "../../../client/call.ts";
import { readExactJson } from "../../../client/exact-json.ts";
import { texts } from "../../../texts/index.ts";

const words = texts.busRoutes;

export const wholeEvent = words.wholeEvent({ example: "{ event }" });

export type Route = Reply<"bus-routes.get">;
export type RouteState = Route["state"];
export type Rule = Input<"bus-routes.create">["body"];
type Json = Reply<"bus-routes.test">["clauses"][number]["expected"];
type PayloadSource = NonNullable<Rule["payload"]>[string];

export const routeStates: readonly RouteState[] = ["DISABLED", "DRY_RUN", "ENABLED"];

interface DataRow {
  key: number;
  pointer: string;
  /** A JSON value. */
  value: string;
}

interface PayloadRow {
  key: number;
  field: string;
  kind: "pointer" | "constant";
  /** A JSON Pointer or a JSON value, depending on `kind`. */
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
  /** Whether the payload is the whole event. The rows in `payload` are then unused. */
  isWholeEvent: boolean;
  payload: PayloadRow[];
}

/** The problems by row: `data.0`, `payload.2`. */
type RowProblems = ReadonlyMap<string, string>;

export interface DraftPart {
  draft: RouteDraft;
  onChange: (change: Partial<RouteDraft>) => void;
  error: unknown;
  problems: RowProblems;
}

/** Adds a missing name, because the server requires one even for a test or a replay. */
export function namedRule(rule: Rule): Rule {
  return { ...rule, name: rule.name.trim() || words.newTitle };
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

export function draftOf({ name, description, state, match, target, payload }: Route): RouteDraft {
  return {
    name,
    description: description ?? "",
    state,
    type: match.type,
    source: match.source ?? "",
    data: Object.entries(match.data ?? {}).map(([pointer, value], key) => ({
      key,
      pointer,
      value: JSON.stringify(value),
    })),
    ...target,
    isWholeEvent: payload === undefined,
    payload: Object.entries(payload ?? {}).map(([field, from], key) =>
      typeof from === "string"
        ? { key, field, kind: "pointer", from }
        : { key, field, kind: "constant", from: JSON.stringify(from.const) },
    ),
  };
}

/** Returns the body of an update, without the version. */
export function ruleOfRoute({ name, description, state, match, target, payload }: Route): Rule {
  return { name, description, state, match, target, payload };
}

export function isSameDraft(one: RouteDraft, other: RouteDraft): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the rule without the rows that have problems, and the problems. */
export function ruleOf(draft: RouteDraft): { rule: Rule; problems: RowProblems } {
  const problems = new Map<string, string>();
  const data = mapOf(
    draft.data.filter(({ pointer, value }) => pointer !== "" || value !== ""),
    ({ pointer }) => pointer,
    ({ value }) => jsonIn(value),
    ({ key }, problem) => problems.set(`data.${key}`, problem),
  );
  const payload = mapOf(
    draft.isWholeEvent
      ? []
      : draft.payload.filter(({ field, from }) => field !== "" || from !== ""),
    ({ field }) => field,
    ({ field, kind, from }): Read<PayloadSource> => {
      if (field === "") return { problem: words.problems.noField };
      if (kind === "pointer") return { value: from };
      const read = jsonIn(from);
      return "problem" in read ? read : { value: { const: read.value } };
    },
    ({ key }, problem) => problems.set(`payload.${key}`, problem),
  );
  const rule: Rule = {
    name: draft.name,
    description: draft.description.trim() || undefined,
    state: draft.state,
    match: {
      type: draft.type.trim(),
      source: draft.source.trim() || undefined,
      data: Object.keys(data).length > 0 ? data : undefined,
    },
    target: { serviceCode: draft.serviceCode.trim(), action: draft.action.trim() },
    payload: draft.isWholeEvent ? undefined : payload,
  };
  return { rule, problems };
}

type Read<V> = { value: V } | { problem: string };

function mapOf<R, V>(
  rows: readonly R[],
  nameOf: (row: R) => string,
  readRow: (row: R) => Read<V>,
  onProblem: (row: R, problem: string) => void,
): Record<string, V> {
  const map = new Map<string, V>();
  for (const row of rows) {
    const read = readRow(row);
    if ("problem" in read) onProblem(row, read.problem);
    else if (map.has(nameOf(row))) onProblem(row, words.problems.twice);
    else map.set(nameOf(row), read.value);
  }
  return Object.fromEntries(map);
}

function jsonIn(text: string): Read<Json> {
  try {
    const read = readExactJson(text);
    return read.problem === undefined ? { value: read.value as Json } : read;
  } catch {
    return { problem: words.problems.noJson };
  }
}
