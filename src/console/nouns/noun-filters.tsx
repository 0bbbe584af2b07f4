// The filters of a noun's list, the search first. A filter's kind determines its control.

import { X } from "lucide-react";
import type { Noun, NounFilter } from "../../api/contract/noun.ts";
import { IconButton } from "../components/button.tsx";
import { ChoiceFilter, Filters, TextFilter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { TimeRange } from "../lists/time-range.tsx";
import { texts } from "../texts/index.ts";
import { LookupFilter, type LookupFilterProps } from "./lookup-filter.tsx";
import { NounLink } from "./noun-link.tsx";
import { isNamed, labelOf, nounNamed } from "./nouns.ts";
import { useRights } from "./rights.ts";
import "./noun-filters.css";

interface NounFiltersProps {
  noun: Pick<Noun, "filters">;
  state: ListState<string>;
}

export function NounFilters({ noun, state }: NounFiltersProps) {
  const may = useRights();
  const isSearch = ({ kind }: NounFilter) => kind === "search";
  const ordered = noun.filters.toSorted((a, b) => Number(isSearch(b)) - Number(isSearch(a)));
  // An object without a code or name cannot be chosen: only a link can set this filter.
  const given = ordered.filter(
    (filter) => filter.kind === "id" && !isNamed(nounNamed(filter.of ?? "")),
  );
  const shown = ordered.filter((filter) => {
    if (given.includes(filter)) return false;
    return filter.of === undefined || may(nounNamed(filter.of), "list");
  });
  return (
    <>
      <Filters state={state}>
        {shown.map((filter) => (
          <OneFilter key={filter.name} filter={filter} state={state} />
        ))}
      </Filters>
      <Given filters={given} state={state} />
    </>
  );
}

function OneFilter({ filter, state }: LookupFilterProps) {
  const { name, kind, choices = [], options, hint, suggests } = filter;
  const common = { state, name, label: labelOf(filter) };
  switch (kind) {
    case "choice":
    case "several": {
      const { "": any, ...named } = options ?? {};
      const offered = options ? Object.entries(named) : choices;
      return <ChoiceFilter {...common} options={offered} any={any} />;
    }
    case "time":
      // The two times of a list are one filter.
      return name === "from" ? <TimeRange state={state} /> : null;
    case "id":
      return <LookupFilter filter={filter} state={state} />;
    default:
      return <TextFilter {...common} hint={hint} suggestions={suggests} />;
  }
}

function Given({ filters, state }: { filters: NounFilter[]; state: ListState<string> }) {
  const set = filters.flatMap((filter) => {
    const id = state.filters[filter.name];
    return id ? [{ filter, id }] : [];
  });
  if (set.length === 0) return null;
  return (
    <ul className="row given-filters">
      {set.map(({ filter, id }) => (
        <li key={filter.name}>
          <span>
            {labelOf(filter)} <NounLink to={filter.of ?? ""} id={id} />
          </span>
          <IconButton
            label={texts.nouns.dropFilter(`${labelOf(filter)} ${id}`)}
            icon={<X />}
            onClick={() => state.setFilter(filter.name, "")}
          />
        </li>
      ))}
    </ul>
  );
}
