// Keeps the rows of a list while one of its filters is not valid, because the user is still typing it.

import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";
import type { NounFilter } from "../../api/contract/noun.ts";
import { isAtFields } from "../fields/form-failure.tsx";

/** The filters that users type, and that therefore show their own errors. */
const typed: readonly NounFilter["kind"][] = ["text", "search", "selector", "all"];

/** Without earlier rows, the list shows the error, too. */
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
