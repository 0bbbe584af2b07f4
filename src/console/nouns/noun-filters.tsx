// The filters of a noun's list, the search first. A filter's kind determines its control.

import { X } from "lucide-react";
import type { ReactNode } from "react";
import type { Noun, NounFilter } from "../../api/contract/noun.ts";
import { issueOf } from "../client/api-error.ts";
import { IconButton } from "../components/button.tsx";
import { ChoiceFilter, Filters, SeveralFilter, TextFilter } from "../lists/filters.tsx";
import type { ListState } from "../lists/list-state.ts";
import { TimeRange } from "../lists/time-range.tsx";
import { texts } from "../texts/index.ts";
import { StatusWord } from "../values/status-badge.tsx";
import { LookupFilter, type LookupFilterProps } from "./lookup-filter.tsx";
import { NounLink } from "./noun-link.tsx";
import { isNamed, labelOf, nounNamed } from "./nouns.ts";
import { useRights } from "./rights.ts";
import "./noun-filters.css";

interface NounFiltersProps {
  noun: Pick<Noun, "filters">;
  state: ListState<string>;
  /** The error of the list, of which each filter shows its part. */
  error: unknown;
  /** Buttons for a filtered list. */
  actions?: ReactNode;
}

export function NounFilters({ noun, state, error, actions }: NounFiltersProps) {
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
  const omitting = ordered.filter(({ name, all }) => all !== undefined && !state.filters[name]);
  const active = Object.keys(state.filters).length + omitting.length;
  return (
    <>
      <Filters state={state} active={active} actions={actions}>
        {shown.map((filter) => (
          <OneFilter key={filter.name} filter={filter} state={state} error={error} />
        ))}
      </Filters>
      <Given filters={given} omitting={omitting} state={state} />
    </>
  );
}

function OneFilter({ filter, state, error }: LookupFilterProps & { error: unknown }) {
  const { name, kind, choices = [], options, hint, suggests, all } = filter;
  const common = { state, name, label: labelOf(filter) };
  // With `all`, an option can have several values.
  if (kind === "several" && all === undefined) {
    const named = options
      ? Object.entries(options)
      : choices.map((each) => [each, <StatusWord key={each} status={each} />] as const);
    return <SeveralFilter {...common} choices={named} />;
  }
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
      return (
        <TextFilter {...common} hint={hint} error={issueOf(error, name)} suggestions={suggests} />
      );
  }
}

interface GivenProps extends Pick<LookupFilterProps, "state"> {
  filters: NounFilter[];
  /** Filters that are not in the address, without which the list omits rows. */
  omitting: NounFilter[];
}

function Given({ filters, omitting, state }: GivenProps) {
  const set = filters.flatMap((filter) => {
    const id = state.filters[filter.name];
    return id ? [{ filter, id }] : [];
  });
  if (set.length === 0 && omitting.length === 0) return null;
  return (
    <ul className="row given-filters">
      {omitting.map((filter) => (
        <OneGiven
          key={filter.name}
          text={`${labelOf(filter)} ${filter.options?.[""] ?? ""}`}
          onDrop={() => state.setFilter(filter.name, filter.all ?? "")}
        />
      ))}
      {set.map(({ filter, id }) => (
        <OneGiven
          key={filter.name}
          text={`${labelOf(filter)} ${id}`}
          onDrop={() => state.setFilter(filter.name, "")}
        >
          {labelOf(filter)} <NounLink to={filter.of ?? ""} id={id} />
        </OneGiven>
      ))}
    </ul>
  );
}

interface OneGivenProps {
  text: string;
  onDrop: () => void;
  /** Default: the text. */
  children?: ReactNode;
}

function OneGiven({ text, onDrop, children = text }: OneGivenProps) {
  return (
    <li>
      <span>{children}</span>
      <IconButton label={texts.nouns.dropFilter({ filter: text })} icon={<X />} onClick={onDrop} />
    </li>
  );
}
