// Keeps the page and the filters of a list in the URL, so that a link leads to the same list.

import { parsePastMoment } from "../../lib/moments.ts";
import { useParameters } from "../components/use-parameters.ts";
import { useAsOfNow } from "../values/clock.ts";

const minuteMs = 60_000;

export const defaultPageSize = 20;
const fromTheNewest = { page: null, before: null };

export type ListState<F extends string> = ReturnType<typeof useListState<F>>;

export function useListState<F extends string>(names: readonly F[]) {
  const [query, change] = useParameters();
  const filters: Partial<Record<F, string>> = {};
  for (const name of names) {
    const value = query.get(name);
    if (value) filters[name] = value;
  }
  // The start of a span moves only once a minute, so that the list is not read again constantly.
  const now = useAsOfNow((ms) => Math.floor(ms / minuteMs) * minuteMs);
  const asked: Partial<Record<string, string>> = { ...filters };
  for (const name of ["from", "to"]) {
    const text = asked[name];
    // The server explains what is wrong with other texts.
    if (text !== undefined) asked[name] = parsePastMoment(text, now) ?? text;
  }
  const setFilters = (values: Partial<Record<F, string>>) =>
    change({ ...(values as Record<string, string>), ...fromTheNewest });
  return {
    page: wholeNumber(query.get("page"), 1),
    pageSize: Math.min(200, wholeNumber(query.get("pageSize"), defaultPageSize)),
    filters,
    /** The filters as sent to the server. In `filters`, a time can be a span such as `24h`. */
    asked,
    isFiltered: Object.keys(filters).length > 0,
    /** The field to sort by, with `-` for descending order; undefined for the default order. */
    sort: query.get("sort") || undefined,
    setSort: (sort: string | null) => change({ sort, ...fromTheNewest }),
    /** A position in a long list. Only rows after it are shown. Responses return it as `next`. */
    before: query.get("before") || undefined,
    /** Returns to the first page. An empty value removes the filter. */
    setFilter: (name: F, value: string) =>
      setFilters({ [name]: value } as Partial<Record<F, string>>),
    setFilters,
    clearFilters: () =>
      change({ ...Object.fromEntries(names.map((n) => [n, null])), ...fromTheNewest }, false),
    setPage: (page: number) => change({ page: page === 1 ? null : String(page) }, false),
    /** Null returns to the newest rows. */
    setBefore: (before: string | null) => change({ page: null, before }, false),
    setPageSize: (size: number) =>
      change({ pageSize: size === defaultPageSize ? null : String(size), page: null }),
  };
}

function wholeNumber(text: string | null, otherwise: number): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : otherwise;
}
