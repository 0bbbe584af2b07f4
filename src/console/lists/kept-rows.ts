// Keeps the rows of a list while a filter that the user is still typing is not valid.

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { NounFilter } from "../../api/contract/noun.ts";
import { isAtFields } from "../fields/form-failure.tsx";

/** The kinds of filters that users type. These filters show their own errors. */
const typed: readonly NounFilter["kind"][] = ["text", "search", "selector", "all"];

/** If there are no earlier rows to keep, the list shows the error as well. */
export function useKeptRows<T, E>(
  query: UseQueryResult<T, E>,
  filters: readonly NounFilter[],
): UseQueryResult<T, E> {
  const { data, error } = query;
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  const names = filters.filter(({ kind }) => typed.includes(kind)).map(({ name }) => name);
  if (last === undefined || data !== undefined || !isAtFields(error, names)) return query;
  return { ...query, data: last, error: null } as UseQueryResult<T, E>;
}
