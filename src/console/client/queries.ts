// Hooks that read and change data through one cache. live/refresh.ts invalidates stale data.

import {
  keepPreviousData,
  QueryClient,
  type UseQueryResult,
  useQuery,
} from "@tanstack/react-query";
import type { RouteName } from "../../api/index.ts";
import { ApiError, type Failing } from "./api-error.ts";
import { call, callPage, type Given, type Input, type PageOf, type Reply } from "./call.ts";
import { type SingleMutation, useSingleMutation } from "./use-single-mutation.ts";

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

interface ReadOptions<T = never> {
  enabled?: boolean;
  /** Milliseconds until the data is read again, or false. By default, it is not read again. */
  everyMs?: number | ((data: T | undefined) => number | false);
}

/** The query that `useCall` makes. */
export function oneQuery<const N extends string>(name: N & RouteName, input: Given<N>) {
  return {
    queryKey: [name, input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => call(name, input, signal),
  };
}

/** The query that `usePage` makes. */
export function pageQuery<const N extends string>(name: N & RouteName, input: Given<N>) {
  return {
    queryKey: [name, "page", input] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) => callPage(name, input, signal),
  };
}

/** Must not be used for GETs with side effects: `actions.prepare`, `commands.get`, exports. */
export function useCall<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true, everyMs = () => false }: ReadOptions<Reply<N & RouteName>> = {},
): UseQueryResult<Reply<N & RouteName>, Failing> {
  return useQuery<Reply<N & RouteName>, Failing>({
    ...oneQuery(name, input),
    enabled,
    refetchInterval: typeof everyMs === "function" ? ({ state }) => everyMs(state.data) : everyMs,
  });
}

export function usePage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true, everyMs = () => false }: ReadOptions<PageOf<N & RouteName>> = {},
): UseQueryResult<PageOf<N & RouteName>, Failing> {
  return useQuery<PageOf<N & RouteName>, Failing>({
    ...pageQuery(name, input),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: typeof everyMs === "function" ? ({ state }) => everyMs(state.data) : everyMs,
  });
}

/** With `leaving`, nothing is reloaded: `onDone` leaves a page whose subject no longer exists. */
export function useAct<N extends RouteName>(
  name: N,
  onDone?: (reply: Reply<N>, input: Input<N>) => void,
  { leaving }: { leaving?: true } = {},
): SingleMutation<Reply<N>, Input<N>> {
  return useSingleMutation<Reply<N>, Input<N>>({
    // If `input` had the route's type, the compiler would compare the inputs of all routes.
    mutationFn: (input: unknown) =>
      call<string>(name as never, input as object) as Promise<Reply<N>>,
    onSuccess(reply, input) {
      onDone?.(reply, input);
      refreshAll(leaving ? "none" : "active");
    },
    // The server may have refused the call because the page was out of date.
    onError: () => refreshAll(),
    meta: { leaving },
  });
}

/**
 * Whether a change is running that leaves its page when it succeeds, or has succeeded on a page
 * that is still shown. The cache forgets the change when the page is gone.
 */
export function isLeaving(): boolean {
  const changes = queryClient.getMutationCache().findAll({
    predicate: ({ meta, state }) => meta?.leaving === true && state.status !== "error",
  });
  return changes.length > 0;
}

export function refreshAll(refetchType: "active" | "none" = "active"): void {
  void queryClient.invalidateQueries({ refetchType });
}
