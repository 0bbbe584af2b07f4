// The choices of each filter, and which filters the menu offers.

import type { NounFilter } from "../../../api/contract/noun.ts";
import type { ListState } from "../../lists/list-state.ts";
import { texts } from "../../texts/index.ts";
import { isNamed, labelOf, nounNamed, titleOfList } from "../nouns.ts";
import type { Rights } from "../rights.ts";

/** The list to which the filters apply. */
export interface FilteredList {
  /** The noun, such as `services`. */
  noun: string;
  filters: readonly NounFilter[];
  /** Whether the list is too long to count. */
  isLong: boolean;
}

export interface FacetProps {
  list: FilteredList;
  filter: NounFilter;
  state: ListState<string>;
  /** The error of the list. Each filter shows the issues that concern it. */
  error: unknown;
  /** Closes the menu. */
  onDone: () => void;
}

/**
 * Returns the filters in the menu. The search is not one of them, because it has its own field. A
 * filter whose values are ids of objects without codes or names can only be set by a link. The two
 * ends of a time range are one filter.
 */
export function facetsOf({ filters }: FilteredList, may: Rights): readonly NounFilter[] {
  const hasSelector = filters.some(({ kind }) => kind === "selector");
  return filters.filter(({ kind, name, of }) => {
    if (kind === "search" || name === "to") return false;
    // A selector can express the same filter.
    if (kind === "all") return !hasSelector;
    return of === undefined || (isNamed(nounNamed(of)) && may(nounNamed(of), "list"));
  });
}

export function titleOfFacet(filter: NounFilter): string {
  return filter.kind === "time" ? texts.timeRange.label : labelOf(filter);
}

/** Whether users can combine values. With `all`, an option can itself consist of several values. */
export function isSeveral({ kind, all }: NounFilter): boolean {
  return kind === "several" && all === undefined;
}

/** Returns the values that can be chosen, each with its text, or null if the value is a status. */
export function choicesOf({ options, choices = [], name }: NounFilter): [string, string | null][] {
  if (options) return Object.entries(options).filter(([value]) => value !== "");
  // A filter by noun, such as that of saved views, shows the title of each noun's list.
  return choices.map((value) => [value, name === "noun" ? titleOfList(value) : null]);
}

export function isSet(
  { name }: NounFilter,
  { filters }: Pick<ListState<string>, "filters">,
): boolean {
  return filters[name] !== undefined || (name === "from" && filters.to !== undefined);
}
