// Filters by a text, and by an object of another noun. The URL contains the id of the object, but
// the field shows the name.

import { useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { usePage } from "../../client/queries.ts";
import { useSettledText } from "../../fields/use-delayed-text.ts";
import { type Pick, PickList } from "../../lists/pick-list.tsx";
import { texts } from "../../texts/index.ts";
import { useOne } from "../noun-link.tsx";
import { labelOf, nounNamed, type Row, titleOf } from "../nouns.ts";
import type { FacetProps } from "./facets.ts";

const offered = 50;
/** Suggestions are the values of the newest rows. */
const rowsRead = 100;

type Suggested = { [K in "list" | "filter"]: FacetProps[K] };

export function TextFacet({ list, filter, state, error, onDone }: FacetProps) {
  const current = state.filters[filter.name] ?? "";
  const [draft, setDraft] = useState<string | null>(null);
  const wanted = draft?.trim() ?? "";
  const suggestions = useSuggestions({ list, filter });
  const found = matching(suggestions, wanted, (each) => each);
  const options = found.map((each): Pick => ({ value: each, title: each }));
  if (wanted !== "" && !suggestions.includes(wanted)) {
    options.unshift({ value: wanted, title: wanted, about: texts.filters.asTyped });
  }
  const pick = (value: string) => {
    state.setFilter(filter.name, value);
    onDone();
  };
  return (
    <PickList
      label={labelOf(filter)}
      hint={filter.hint}
      error={issueOf(error, filter.name)}
      text={draft ?? current}
      onText={setDraft}
      options={options}
      current={current}
      onPick={pick}
      onEnter={() => (draft === null ? onDone() : pick(wanted))}
    />
  );
}

function useSuggestions({ list, filter }: Suggested): readonly string[] {
  const { name, suggests } = filter;
  // Services do not name their actions, so those that were run are offered.
  const noun = name === "action" && list.noun === "services" ? "commands" : list.noun;
  const { data } = usePage(
    `${noun}.list` as "agents.list",
    { query: { pageSize: rowsRead } },
    { enabled: suggests === undefined },
  );
  const values = (data?.data ?? []).map((row) => (row as unknown as Row)[name]);
  const words = values.filter((value) => typeof value === "string" && value !== "");
  return suggests ?? [...new Set(words as string[])].sort();
}

export function LookupFacet({ filter, state, onDone }: FacetProps) {
  const noun = nounNamed(filter.of ?? "");
  const [text, setText] = useState("");
  const wanted = useSettledText(text.trim());
  const id = state.filters[filter.name];
  const chosen = useOne(noun.noun, id ?? "").data;
  const sort = [noun.code, noun.name].find((field) => field && noun.sorts.includes(field));
  const q = noun.searches && wanted ? wanted : undefined;
  const found = usePage(`${noun.noun}.list` as "agents.list", {
    query: { pageSize: offered, q, sort: sort as "code" },
  });
  const rows = (found.data?.data ?? []) as unknown as Row[];
  const first = chosen && !wanted ? [chosen] : [];
  const all = [...first, ...rows.filter((row) => row.id !== first[0]?.id)];
  const fitting = noun.searches ? all : matching(all, wanted, (row) => titleOf(noun, row));
  const isUnknown = found.isSuccess && !found.isFetching && fitting.length === 0;
  return (
    <PickList
      label={labelOf(filter)}
      hint={noun.filters.find(({ kind }) => kind === "search")?.hint ?? texts.words.name}
      text={text}
      onText={setText}
      options={fitting.map((row) => optionOf(titleOf(noun, row), row))}
      current={chosen?.id}
      none={isUnknown ? texts.nouns.unknown({ one: noun.one }) : null}
      onPick={(picked) => {
        state.setFilter(filter.name, picked);
        onDone();
      }}
    />
  );
}

function optionOf(title: string, { id, name }: Row): Pick {
  return { value: id, title, about: typeof name === "string" && name !== title ? name : undefined };
}

function matching<T>(all: readonly T[], wanted: string, textOf: (one: T) => string): readonly T[] {
  const lower = wanted.toLowerCase();
  return all.filter((each) => textOf(each).toLowerCase().includes(lower)).slice(0, offered);
}
