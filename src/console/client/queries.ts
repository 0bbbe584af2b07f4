// What pages read and do, through one cache: it is emptied of what the live stream says has changed
// (live/refresh.ts), and when somebody else signs in.

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
      // A refusal stays one; what did not answer may a moment later.
      retry: (failures, error) => !(error instanceof ApiError) && failures < 2,
      retryDelay: 500,
      networkMode: "always",
    },
    // What was sent and answered may hold secrets: nothing of it stays when nobody shows it any more.
    mutations: { networkMode: "always", gcTime: 0 },
  },
});

export interface ReadOptions {
  /** Not asked while false. */
  enabled?: boolean;
  /** Asked anew at this pace, in milliseconds, beside what the live stream brings about. */
  everyMs?: number;
}

/** The `data` of a GET. Not for GETs that do something: `actions.prepare`, `commands.get`, exports. */
export function useCall<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true, everyMs }: ReadOptions = {},
): UseQueryResult<Reply<N & RouteName>, Failing> {
  return useQuery<Reply<N & RouteName>, Failing>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => call(name, input, signal),
    enabled,
    ...(everyMs === undefined ? {} : { refetchInterval: everyMs }),
  });
}

/** A page of a list; while the next one comes, the last one stays. */
export function usePage<const N extends string>(
  name: N & RouteName,
  input: Given<N>,
  { enabled = true }: ReadOptions = {},
): UseQueryResult<PageOf<N & RouteName>, Failing> {
  return useQuery<PageOf<N & RouteName>, Failing>({
    queryKey: keyOf(name, "page", input),
    queryFn: ({ signal }) => callPage(name, input, signal),
    placeholderData: keepPreviousData,
    enabled,
  });
}

export interface ActOptions {
  /** What the page is of is gone then: it is not read anew, and `onDone` leads away from it. */
  leaving?: true;
}

/**
 * Something that is done: `act.mutate(input)`, `act.isPending`, `act.error`. `onDone` waits for nothing
 * else; then what is on the screen is read anew, and all else when it is looked at.
 */
export function useAct<N extends RouteName>(
  name: N,
  onDone?: (reply: Reply<N>, input: Input<N>) => void,
  { leaving }: ActOptions = {},
): Doing<Reply<N>, Input<N>> {
  return useDoing<Reply<N>, Input<N>>({
    mutationFn: (input) => call(name, input as Given<N>),
    onSuccess(reply, input) {
      onDone?.(reply, input);
      refreshAll(leaving ? "none" : "active");
    },
    // What was refused may have been so because the page was old.
    onError: () => refreshAll(),
  });
}

/** All is old: what is on the screen is read anew, or nothing yet. */
export function refreshAll(refetchType: "active" | "none" = "active"): void {
  void queryClient.invalidateQueries({ refetchType });
}

/** Its first part is the name of the route. */
function keyOf(name: RouteName, ...rest: unknown[]): readonly unknown[] {
  return [name, ...rest];
}
