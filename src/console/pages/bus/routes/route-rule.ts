// From what is written to the rule that the server takes. The server checks it; here is told only what
// cannot be put into a rule at all.

import type { Reply } from "../../../client/call.ts";
import { readExactJson } from "../../../client/exact-json.ts";
import { texts } from "../../../texts/index.ts";
import type { RouteDraft, RowProblems, Rule } from "./route-draft.ts";

type Json = Reply<"bus-routes.test">["clauses"][number]["expected"];
type PayloadSource = NonNullable<Rule["payload"]>[string];

/** The rule as it stands, and what of the rows did not get into it. */
export function ruleOf(draft: RouteDraft): { rule: Rule; problems: RowProblems } {
  const problems = new Map<string, string>();
  const payloadRows = draft.isWholeEvent
    ? []
    : draft.payload.filter(({ field, from }) => field !== "" || from !== "");
  const data = mapOf(
    draft.data.filter(({ pointer, value }) => pointer !== "" || value !== ""),
    ({ pointer }) => pointer,
    ({ value }) => jsonIn(value),
    (row, problem) => problems.set(`data.${row.key}`, problem),
  );
  const payload = mapOf(
    payloadRows,
    ({ field }) => field,
    ({ field, kind, from }): Read<PayloadSource> => {
      if (field === "") return { problem: texts.busRoutes.problems.noField };
      if (kind === "pointer") return { value: from };
      const read = jsonIn(from);
      return "problem" in read ? read : { value: { const: read.value } };
    },
    (row, problem) => problems.set(`payload.${row.key}`, problem),
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

/** The rows as a map; a row that cannot be in it is told. */
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
    else if (map.has(nameOf(row))) onProblem(row, texts.busRoutes.problems.twice);
    else map.set(nameOf(row), read.value);
  }
  return Object.fromEntries(map);
}

function jsonIn(text: string): Read<Json> {
  try {
    const read = readExactJson(text);
    return read.problem === undefined ? { value: read.value as Json } : read;
  } catch {
    return { problem: texts.busRoutes.problems.noJson };
  }
}
