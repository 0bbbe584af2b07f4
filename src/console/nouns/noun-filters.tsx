// The filters of a list: the search, the menu with all filters, and the filters that are set. On
// wide screens, they are in a row whose height never changes.

import { Search } from "lucide-react";
import { type ReactNode, useId, useRef, useState } from "react";
import type { NounFilter } from "../../api/contract/noun.ts";
import { issueOf } from "../client/api-error.ts";
import { TextField } from "../fields/inputs.tsx";
import { useDelayedText } from "../fields/use-delayed-text.ts";
import type { ListState } from "../lists/list-state.ts";
import { Chips } from "./filters/chips.tsx";
import { FacetMenu } from "./filters/facet-menu.tsx";
import { type FilteredList, facetsOf } from "./filters/facets.ts";
import { labelOf } from "./nouns.ts";
import { useRights } from "./rights.ts";
import "./noun-filters.css";

interface NounFiltersProps {
  list: FilteredList;
  state: ListState<string>;
  /** The error of the list. Each filter shows the issues that concern it. */
  error: unknown;
  /** Buttons at the end of the row. */
  actions?: ReactNode;
}

export function NounFilters({ list, state, error, actions }: NounFiltersProps) {
  const may = useRights();
  const menu = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [asked, setAsked] = useState<string | null>(null);
  const facets = facetsOf(list, may);
  const search = list.filters.find(({ kind }) => kind === "search");
  return (
    <search className="list-toolbar">
      {search && <SearchField filter={search} state={state} error={error} />}
      {facets.length > 0 && (
        <FacetMenu
          {...{ id: menu, list, facets, state, error, button, asked }}
          onAsked={setAsked}
        />
      )}
      <Chips
        {...{ list, facets, state, error, menu }}
        onAsk={setAsked}
        onDropped={() => button.current?.focus()}
      />
      {actions}
    </search>
  );
}

interface SearchFieldProps extends Pick<NounFiltersProps, "state" | "error"> {
  filter: NounFilter;
}

function SearchField({ filter, state, error }: SearchFieldProps) {
  const { name, hint } = filter;
  const [text, setText] = useDelayedText(state.filters[name] ?? "", (next) =>
    state.setFilter(name, next),
  );
  return (
    <div className="list-search">
      <Search aria-hidden="true" />
      <TextField
        label={labelOf(filter)}
        isLabelHidden
        error={issueOf(error, name)}
        type="search"
        placeholder={hint}
        value={text}
        onChange={setText}
      />
    </div>
  );
}
