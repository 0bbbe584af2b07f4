// What a filter is in the console: its choices, and whether its menu offers it.

import type { NounFilter } from "../../../api/contract/noun.ts";
import type { ListState } from "../../lists/list-state.ts";
import { texts } from "../../texts/index.ts";
import { capitalized, findNoun, isNamed, labelOf, nounNamed } from "../nouns.ts";
import type { Rights } from "../rights.ts";

/** The list whose rows the filters choose. */
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
  /** The error of the list, of which each filter shows its part. */
  error: unknown;
  /** Closes the menu. */
  onDone: () => void;
}

/**
 * The filters in the menu. The search has its own field. An object without a code or name cannot be
 * chosen: only a link can set this filter. Both times are one filter.
 */
export function facetsOf({ filters }: FilteredList, may: Rights): readonly NounFilter[] {
  const hasSelector = filters.some(({ kind }) => kind === "selector");
  return filters.filter(({ kind, name, of }) => {
    if (kind === "search" || name === "to") return false;
    // A selector can say the same.
    if (kind === "all") return !hasSelector;
    return of === undefined || (isNamed(nounNamed(of)) && may(nounNamed(of), "list"));
  });
}

export function titleOfFacet(filter: NounFilter): string {
  return filter.kind === "time" ? texts.timeRange.label : labelOf(filter);
}

/** Whether users set several of the filter's choices. With `all`, an option has several values. */
export function isSeveral({ kind, all }: NounFilter): boolean {
  return kind === "several" && all === undefined;
}

/** The values that can be chosen, with a text if the value is not a status. */
export function choicesOf({ options, choices = [], name }: NounFilter): [string, string | null][] {
  if (options) return Object.entries(options).filter(([value]) => value !== "");
  // A filter by noun, such as that of saved views, shows the title of each.
  return choices.map((value) => [value, name === "noun" ? titleOfList(value) : null]);
}

/** The title of a noun's list, also if the console does not know the noun. */
export function titleOfList(noun: string): string {
  return findNoun(noun)?.title ?? capitalized(noun.replaceAll("-", " "));
}

export function isSet({ name }: NounFilter, { filters }: ListState<string>): boolean {
  return filters[name] !== undefined || (name === "from" && filters.to !== undefined);
}
