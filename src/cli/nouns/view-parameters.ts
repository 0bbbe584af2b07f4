// The parameters of a saved view: accepts the flags and columns of the list's command, and replaces
// them with what the API calls them.

import { nouns } from "../../api/contract/nouns.ts";
import { viewParameters } from "../../api/shapes/viewed-lists.ts";
import type { ViewedList } from "../../domain/saved-views.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { usageError } from "../exit.ts";
import { sortField } from "./sort.ts";

/** The flags of `audit list` that have another name in the API. */
const auditFlags = new Map([
  ["actor", "actorId"],
  ["target", "targetId"],
]);

/** Throws a usage error for a parameter that the list does not have. */
export function viewParameter(list: ViewedList, name: string, value: string): [string, string] {
  const flags = flagsOf(list);
  const field = flags.get(name) ?? name;
  const valid = viewParameters(list);
  if (!valid.includes(field)) {
    const words = valid.map((each) => [...flags].find(([, of]) => of === each)?.[0] ?? each);
    const hint = didYouMean(nearest(name, words));
    throw usageError(
      `${list} have no parameter ${name}.${hint} A view can set ${words.toSorted().join(", ")}.`,
    );
  }
  return [
    field,
    field === "sort" && list !== "audit-events" ? sortField(nouns[list], value) : value,
  ];
}

function flagsOf(list: ViewedList): ReadonlyMap<string, string> {
  if (list === "audit-events") return auditFlags;
  return new Map(nouns[list].filters.map(({ flag, name }) => [flag, name]));
}
