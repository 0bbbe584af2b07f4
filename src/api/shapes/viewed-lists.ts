// What a saved view can contain: the parameters of its list.

import type { Issue } from "../../domain/errors.ts";
import type { ViewedList } from "../../domain/saved-views.ts";
import { suggestion } from "../../lib/nearest.ts";
import { auditEvents } from "../audit/audit-events.ts";
import type { Noun } from "../contract/noun.ts";
import { nouns } from "../contract/nouns.ts";

const places: readonly string[] = ["page", "pageSize", "before", "afterSeq"];

/** Returns the names that the query of a view can have. */
export function viewParameters(list: ViewedList): string[] {
  if (list === "audit-events") {
    const { shape } = auditEvents["audit-events.list"].query;
    return [...Object.keys(shape).filter((name) => !places.includes(name)), "columns"];
  }
  const noun: Noun = nouns[list];
  const filters = noun.filters.map(({ name }) => name);
  return [...filters, ...(noun.sorts.length > 0 ? ["sort"] : []), "columns"];
}

export function issuesOfQuery(list: ViewedList, query: Readonly<Record<string, string>>): Issue[] {
  const known = viewParameters(list);
  return Object.entries(query).flatMap(([name, value]): Issue[] => {
    const path = `query.${name}`;
    if (!known.includes(name)) {
      const hint = suggestion(name, "parameters", known);
      return [{ path, message: `the list of ${list} has no parameter ${name}; ${hint}` }];
    }
    return name === "sort" ? issuesOfSort(list, value) : [];
  });
}

function issuesOfSort(list: ViewedList, value: string): Issue[] {
  const sorts: readonly string[] = list === "audit-events" ? [] : nouns[list].sorts;
  const field = value.replace(/^-/, "");
  if (sorts.includes(field)) return [];
  const message = `must be one of ${sorts.join(", ")}, with - in front for descending order`;
  return [{ path: "query.sort", message }];
}
