// Searches on the server for what the user types, once the user pauses. Responses to earlier texts
// are not shown, because each text has its own cache entry.

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Failing } from "../../client/api-error.ts";
import { call, type Reply } from "../../client/call.ts";
import { useSettledText } from "../../fields/use-delayed-text.ts";

export type SearchResult = Reply<"search.find">[number];

const pauseMs = 120;

interface SearchState {
  results: readonly SearchResult[];
  /** Whether the results are for the current text. */
  isCurrent: boolean;
  error: unknown;
}

export function useSearch(typed: string): SearchState {
  const text = typed.trim();
  const q = useSettledText(text, pauseMs);
  const { data, error, isPlaceholderData } = useQuery<SearchResult[], Failing>({
    queryKey: ["search.find", q],
    queryFn: ({ signal }) => call("search.find", { query: { q } }, signal),
    placeholderData: keepPreviousData,
    enabled: q !== "",
  });
  if (text === "") return { results: [], isCurrent: true, error: null };
  const isCurrent = q === text && !isPlaceholderData && (data !== undefined || error !== null);
  return { results: data ?? [], isCurrent, error: q === text ? error : null };
}
