// Hooks with which pages read and change data, through one cache. The live stream invalidates
// cached data that has changed (live/refresh.ts). The cache is cleared when another user signs in.

import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import type { RouteName } from "../../api/index.ts";
import { ApiError, type Failing } from "./api-error.ts";
import { call, callPage, type Given, type Input, type PageOf, type Reply } from "./call.ts";
import { type Doing, useDoing } from "./doing.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      gcTime: 60_000,
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
      retryDelay: 500,
      networkMode: "always",
    },
    // Inputs and responses may contain secrets, so they are dropped as soon as nothing shows them.
    mutations: { networkMode: "always", gcTime: 0 },
  },
});

interface ReadOptions {
  enabled?: boolean;
  /** Also reads the data at this interval in milliseconds, regardless of the live stream. */
  everyMs?: number;
}

/**
 * Reads the `data` of a GET. Must not be used for GETs with side effects: `actions.prepare`,
 * `commands.get`, exports.
 */
export function useCall<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<Reply<N & RouteName>, Failing> {
  return useQuery<Reply<N & RouteName>, Failing>({
    queryKey: [name, input],
    queryFn: ({ signal }) => call(name, input, signal),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

/** Reads one page of a list. The previous page stays visible while the next one loads. */
export function usePage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true }: Pick<ReadOptions, "enabled"> = {},
): UseQueryResult<PageOf<N & RouteName>, Failing> {
  return useQuery<PageOf<N & RouteName>, Failing>({
    queryKey: [name, "page", input],
    queryFn: ({ signal }) => callPage(name, input, signal),
    placeholderData: keepPreviousData,
    enabled,
  });
}

/**
 * Makes a call that changes something. Runs `onDone` when the call has succeeded, then marks all
 * cached data as stale and reloads the data on the screen. With `leaving`, `onDone` leaves the page
 * because its subject no longer exists, so nothing is reloaded.
 */
export function useAct<N extends RouteName>(
  name: N,
  onDone?: (reply: Reply<N>, input: Input<N>) => void,
  { leaving }: { leaving?: true } = {},
): Doing<Reply<N>, Input<N>> {
  return useDoing<Reply<N>, Input<N>>({
    mutationFn: (input) => call(name, input as Given<N>),
    onSuccess(reply, input) {
      onDone?.(reply, input);
      refreshAll(leaving ? "none" : "active");
    },
    // The server may have refused the call because the page was out of date.
    onError: () => refreshAll(),
  });
}

/** Marks all cached data as stale. "active" also reloads the data on the screen. */
export function refreshAll(refetchType: "active" | "none" = "active"): void {
  void queryClient.invalidateQueries({ refetchType });
}
