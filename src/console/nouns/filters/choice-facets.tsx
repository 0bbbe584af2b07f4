// Filters by choices: checkboxes if several can be chosen, otherwise radio buttons.

import { useQueries } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { NounFilter } from "../../../api/contract/noun.ts";
import type { Pagination } from "../../../api/contract/route.ts";
import { pageQuery } from "../../client/queries.ts";
import { RadioField } from "../../fields/radio-field.tsx";
import { totalOf } from "../../format/number.ts";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { labelOf } from "../nouns.ts";
import { choicesOf, type FacetProps } from "./facets.ts";

/** A filter with several values. A row must have one of them. */
export function SeveralFacet({ list, filter, state }: FacetProps) {
  const choices = choicesOf(filter);
  const given = state.filters[filter.name]?.split(",") ?? [];
  const counts = useCounts({ list, filter, state });
  const toggle = (value: string) => {
    const isOn = (each: string) => given.includes(each) !== (each === value);
    const next = choices.map(([each]) => each).filter(isOn);
    state.setFilter(filter.name, next.length < choices.length ? next.join(",") : "");
  };
  return (
    <fieldset className="several-facet">
      <legend className="visually-hidden">{labelOf(filter)}</legend>
      {choices.map(([value, text]) => (
        <label key={value}>
          <input type="checkbox" checked={given.includes(value)} onChange={() => toggle(value)} />
          <ChoiceText value={value} text={text} />
          <span className="muted small">{counts.get(value)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** The empty value turns the filter off. */
export function ChoiceFacet({ filter, state }: FacetProps) {
  const { options } = filter;
  const named = choicesOf(filter).map(([value, text]): [string, ReactNode] => [
    value,
    <ChoiceText key={value} {...{ value, text }} />,
  ]);
  return (
    <RadioField
      legend={labelOf(filter)}
      isLegendHidden
      value={state.filters[filter.name] ?? ""}
      onChange={(value) => state.setFilter(filter.name, value)}
      options={[["", options?.[""] ?? texts.words.any], ...named]}
    />
  );
}

function ChoiceText({ value, text }: { value: string; text: string | null }) {
  return text ?? <StatusBadge status={value} />;
}

/**
 * Returns how many rows match each choice together with the other filters. Long lists are not
 * counted, because the server would have to read many rows.
 */
function useCounts({ list, filter, state }: Pick<FacetProps, "list" | "filter" | "state">) {
  const { [filter.name]: _, ...others } = state.asked;
  const values = list.isLong ? [] : choicesOf(filter).map(([value]) => value);
  return useQueries({
    queries: values.map((value) => {
      const query = { ...others, [filter.name]: value, pageSize: 1 };
      return pageQuery(`${list.noun}.list` as "agents.list", { query: query as never });
    }),
    combine: (found) =>
      new Map(
        found.map(({ data }, at) => {
          const page = data as { pagination: Pagination } | undefined;
          return [values[at], page && totalOf(page.pagination)];
        }),
      ),
  });
}

/** Shows the texts of the chosen values. The URL can also contain values that are not choices. */
export function ChosenTexts({ filter, value }: { filter: NounFilter; value: string }) {
  const given = value.split(",");
  const chosen = choicesOf(filter).filter(([each]) => given.includes(each));
  const known = chosen.map(([each]) => each);
  const others = given.filter((each) => !known.includes(each));
  return (
    <>
      {[...chosen, ...others.map((each) => [each, each] as const)].map(([each, text], at) => (
        <span key={each}>
          {at > 0 && texts.words.comma}
          {text ?? <StatusBadge status={each} />}
        </span>
      ))}
    </>
  );
}
