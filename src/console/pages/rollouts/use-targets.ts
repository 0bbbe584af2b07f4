// Reads all targets of a rollout, which can have 10,000. The targets run in the order of the list,
// so later reads are limited to the pages whose targets are running.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Failing } from "../../client/api-error.ts";
import { call } from "../../client/call.ts";
import { queryClient } from "../../client/queries.ts";
import { isMoving, type Rollout, type Target } from "./rollout.ts";

export const everyMs = 2_000;
const pageSize = 200;
/** How many pages the first read requests in parallel. */
const pagesAtOnce = 5;

type Pages = readonly (readonly Target[])[];

/** During the first read, the data contains the targets that have been read so far. */
export function useTargets(rollout: Rollout): UseQueryResult<Pages, Failing> {
  // The name begins with the route's, so that live/refresh.ts invalidates the data.
  const key = ["rollouts.targets", "all", rollout.id];
  return useQuery<Pages, Failing>({
    queryKey: key,
    queryFn: ({ signal }) =>
      readPages(
        queryClient.getQueryData<Pages>(key) ?? [],
        Math.ceil(rollout.total / pageSize),
        (page) =>
          call(
            "rollouts.targets",
            { params: { rolloutId: rollout.id }, query: { page, pageSize } },
            signal,
          ),
        (pages) => queryClient.setQueryData(key, pages),
      ),
    refetchInterval: isMoving(rollout) ? everyMs : false,
  });
}

/** `read` counts pages from 1. `onRead` is called with all pages so far after each read. */
export async function readPages(
  known: Pages,
  count: number,
  read: (page: number) => Promise<readonly Target[]>,
  onRead: (pages: Pages) => void,
): Promise<Pages> {
  const pages = [...known];
  for (const [at, before] of known.entries()) {
    if (before.every(hasTargetEnded)) continue;
    const page = await read(at + 1);
    pages[at] = page;
    // The targets on later pages have not begun either.
    if (page.every(({ state }) => state === "WAITING")) break;
  }
  while (pages.length < count) {
    const next = Math.min(count - pages.length, pagesAtOnce);
    const numbers = Array.from({ length: next }, (_, at) => pages.length + at + 1);
    pages.push(...(await Promise.all(numbers.map(read))));
    onRead([...pages]);
  }
  return pages;
}

function hasTargetEnded({ state }: Target): boolean {
  return state === "SUCCEEDED" || state === "FAILED" || state === "NOT_RUN";
}
