// The parameters that a saved view can contain: those of its list.

import type { Issue } from "../../domain/errors.ts";
import { factsOf, pageParameters } from "../../domain/route-facts.ts";
import type { ViewedList } from "../../domain/saved-views.ts";
import { isPastMoment } from "../../lib/moments.ts";
import { suggestion } from "../../lib/nearest.ts";

/** Returns the names that the query of a view can have. */
export function viewParameters(list: ViewedList): string[] {
  const names = Object.keys(factsOf(`${list}.list`).query ?? {});
  const others = names.filter((name) => !pageParameters.includes(name) && name !== "sort");
  return [...others, ...(names.includes("sort") ? ["sort"] : []), "columns"];
}

export function issuesOfQuery(list: ViewedList, query: Readonly<Record<string, string>>): Issue[] {
  const known = viewParameters(list);
  return Object.entries(query).flatMap(([name, value]): Issue[] => {
    const path = `query.${name}`;
    if (!known.includes(name)) {
      const hint = suggestion(name, "parameters", known);
      return [{ path, message: `the list of ${list} has no parameter ${name}; ${hint}` }];
    }
    if (name === "sort") return issuesOfSort(list, value);
    const isTime = factsOf(`${list}.list`).query?.[name]?.kind === "time";
    if (!isTime || isPastMoment(value)) return [];
    const message =
      "must be a time such as 2026-01-31T08:00:00Z, or how long ago, such as 24h, or today";
    return [{ path, message }];
  });
}

function issuesOfSort(list: ViewedList, value: string): Issue[] {
  const { choices = [] } = factsOf(`${list}.list`).query?.sort ?? {};
  if (choices.includes(value)) return [];
  const fields = choices.filter((choice) => !choice.startsWith("-"));
  const message = `must be one of ${fields.join(", ")}, with - in front for descending order`;
  return [{ path: "query.sort", message }];
}
