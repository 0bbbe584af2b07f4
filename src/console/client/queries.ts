// Hooks that read and change data through one cache. live/refresh.ts invalidates stale data.

import {
  keepPreviousData,
  type MutationFilters,
  QueryClient,
  type UseQueryResult,
  useMutationState,
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
      refetchOnWindowFocus: () => !isLeaving(),
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
  everyMs?: Interval<T>;
}

type Interval<T> = number | false | ((data: T | undefined) => number | false);

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
  { enabled = true, everyMs = false }: ReadOptions<Reply<N & RouteName>> = {},
): UseQueryResult<Reply<N & RouteName>, Failing> {
  return useQuery<Reply<N & RouteName>, Failing>({
    ...oneQuery(name, input),
    enabled,
    refetchInterval: useInterval(everyMs),
  });
}

export function usePage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true, everyMs = false }: ReadOptions<PageOf<N & RouteName>> = {},
): UseQueryResult<PageOf<N & RouteName>, Failing> {
  return useQuery<PageOf<N & RouteName>, Failing>({
    ...pageQuery(name, input),
    placeholderData: keepPreviousData,
    enabled,
    refetchInterval: useInterval(everyMs),
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
    // A read that is on its way could be handled after the subject is gone.
    onMutate: () => (leaving ? queryClient.cancelQueries() : undefined),
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
 * The changes that leave their page: those in progress, and those that have succeeded while the
 * page is still shown. The cache forgets a change when its page is gone.
 */
const leavingChanges: MutationFilters = {
  predicate: ({ meta, state }) => meta?.leaving === true && state.status !== "error",
};

/** Whether a change leaves the page. Its subject may be gone, so nothing should read it again. */
export function isLeaving(): boolean {
  return queryClient.getMutationCache().findAll(leavingChanges).length > 0;
}

/** Unlike `isLeaving`, this also stops an interval that is already running. */
function useInterval<T>(everyMs: Interval<T>) {
  const changes = useMutationState({ filters: leavingChanges, select: () => true });
  return ({ state }: { state: { data: T | undefined } }) => {
    if (changes.length > 0) return false;
    return typeof everyMs === "function" ? everyMs(state.data) : everyMs;
  };
}

export function refreshAll(refetchType: "active" | "none" = "active"): void {
  void queryClient.invalidateQueries({ refetchType });
}
