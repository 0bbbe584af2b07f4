// A filter by labels. It takes effect with Enter, with a choice, and when the user leaves the
// field, because a half-written selector can be valid but select nothing.

import { useState } from "react";
import { isSelector } from "../../../domain/fleet/selectors.ts";
import { issueOf } from "../../client/api-error.ts";
import { usePage } from "../../client/queries.ts";
import { PickList } from "../../lists/pick-list.tsx";
import { texts } from "../../texts/index.ts";
import { labelOf } from "../nouns.ts";
import type { FacetProps } from "./facets.ts";
import { completionsOf, type Labels, unfinishedIn } from "./label-completion.ts";

/** How many rows are read for the labels to offer. */
const rowsRead = 200;

export function SelectorFacet({ list, filter, state, error, onDone }: FacetProps) {
  const current = state.filters[filter.name] ?? "";
  const [text, setText] = useState(current);
  const apply = (next: string) => {
    setText(next);
    if (next.trim() !== current) state.setFilter(filter.name, next.trim());
  };
  const unfinished = unfinishedIn(text);
  const items = useLabels(list.noun === "agents" ? "agents" : "services", unfinished?.key);
  const options = unfinished === null ? [] : completionsOf(unfinished, items);
  return (
    <PickList
      label={labelOf(filter)}
      hint={filter.hint}
      error={issueOf(error, filter.name)}
      text={text}
      onText={setText}
      options={options.filter(({ value }) => value !== text)}
      none={text === "" && items.length > 0 && options.length === 0 ? texts.filters.noLabels : null}
      onPick={apply}
      onEnter={() => {
        apply(text);
        // If it is incomplete, the menu stays open and shows the server's error.
        if (isSelector(text)) onDone();
      }}
      onBlur={() => isSelector(text) && apply(text)}
    />
  );
}

/** The labels of the newest agents or services, or of those that have the label `key`. */
function useLabels(noun: "agents" | "services", key: string | undefined): readonly Labels[] {
  const { data } = usePage(`${noun}.list` as "services.list", {
    query: { pageSize: rowsRead, ...(key === undefined ? {} : { selector: key }) },
  });
  return (data?.data ?? []).map(({ labels }) => labels);
}
