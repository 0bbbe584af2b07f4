// Filters by a text, and by an object of another noun. The URL contains the id of the object, but
// the field shows the name.

import { useState } from "react";
import { issueOf } from "../../client/api-error.ts";
import { usePage } from "../../client/queries.ts";
import { useSettledText } from "../../fields/use-delayed-text.ts";
import { type AuditEvent, auditSubject } from "../../format/audit-event.ts";
import { shortId } from "../../format/ids.ts";
import { reportedText } from "../../format/status.ts";
import { type Pick, PickList } from "../../lists/pick-list.tsx";
import { texts } from "../../texts/index.ts";
import { useOne } from "../noun-link.tsx";
import { labelOf, nounNamed, type Row, titleOf } from "../nouns.ts";
import type { FacetProps } from "./facets.ts";

const offered = 50;
/** How many of the newest rows are read for the values to suggest. */
const rowsRead = 100;

type Suggested = { [K in "list" | "filter"]: FacetProps[K] };

export function TextFacet({ list, filter, state, error, onDone }: FacetProps) {
  const current = state.filters[filter.name] ?? "";
  const [draft, setDraft] = useState<string | null>(null);
  const wanted = draft?.trim() ?? "";
  const suggestions = useSuggestions({ list, filter });
  const name = useNameOf({ list, filter }, current);
  const options = [...matching(suggestions, wanted, ({ title }) => title)];
  const isKnown = suggestions.some(({ value, title }) => value === wanted || title === wanted);
  const { asId, asTyped } = texts.filters;
  const typed: Pick = { value: wanted, title: wanted, about: isId(filter) ? asId : asTyped };
  if (wanted !== "" && !isKnown) options.splice(isId(filter) ? options.length : 0, 0, typed);
  const pick = (value: string) => {
    state.setFilter(filter.name, value);
    onDone();
  };
  const pickTyped = () => {
    const exact = suggestions.find(({ title }) => title === wanted);
    // For a filter by id, a typed name picks the first match. Other texts are used as typed.
    const found = isId(filter) && wanted !== "" ? options[0] : undefined;
    if (draft === null) onDone();
    else pick((exact ?? found ?? typed).value);
  };
  return (
    <PickList
      label={labelOf(filter)}
      hint={filter.hint}
      error={issueOf(error, filter.name)}
      text={draft ?? name}
      onText={setDraft}
      options={options}
      current={current}
      onPick={pick}
      onEnter={pickTyped}
    />
  );
}

function isId({ name }: Suggested["filter"]): boolean {
  return name.endsWith("Id");
}

/** Returns the values in the newest rows. Ids get the names that these rows have for them. */
function useSuggestions({ list, filter }: Suggested): readonly Pick[] {
  const { name, suggests } = filter;
  // Services in a list have no actions, so the actions of the newest commands are suggested.
  const noun = name === "action" && list.noun === "services" ? "commands" : list.noun;
  const { data } = usePage(
    `${noun}.list` as "agents.list",
    { query: { pageSize: rowsRead } },
    { enabled: suggests === undefined },
  );
  if (suggests) return suggests.map((value) => ({ value, title: reportedText(value) }));
  const titles = new Map<string, string>();
  for (const row of (data?.data ?? []) as unknown as Row[]) {
    const value = row[name];
    // The newest row has the newest name.
    if (typeof value !== "string" || value === "" || titles.has(value)) continue;
    const title = titleIn(row, name);
    // An id without a name is no help, because nobody knows ids by heart.
    if (!isId(filter) || title !== shortId(value)) titles.set(value, title);
  }
  return (
    [...titles]
      // Several objects can have the same name.
      .map(([value, title]) => ({ value, title, about: isId(filter) ? shortId(value) : undefined }))
      .sort((a, b) => a.title.localeCompare(b.title))
  );
}

/** Returns the name that a row has for the id in one of its fields, or else the short id. */
function titleIn(row: Row, field: string): string {
  const name = row[field.replace(/Id$/, "Name")];
  if (typeof name === "string") return name;
  const subject = field === "targetId" ? auditSubject(row as unknown as AuditEvent) : null;
  const isName = subject !== null && subject !== texts.auditTrail.privateView;
  return isName ? subject : shortId(String(row[field]));
}

/** Returns the name that the newest row with an id has for it. Returns other values unchanged. */
function useNameOf({ list, filter }: Suggested, value: string): string {
  const query = { [filter.name]: value, pageSize: 1 };
  const { data } = usePage(
    `${list.noun}.list` as "agents.list",
    { query: query as never },
    { enabled: isId(filter) && value !== "" },
  );
  const [row] = (data?.data ?? []) as unknown as Row[];
  if (filter.suggests?.includes(value)) return reportedText(value);
  // While the row is loading, `row` is still that of the previous id.
  return row?.[filter.name] === value ? titleIn(row, filter.name) : value;
}

export function NamedValue({ value, ...suggested }: Suggested & { value: string }) {
  return <span title={value}>{useNameOf(suggested, value)}</span>;
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
