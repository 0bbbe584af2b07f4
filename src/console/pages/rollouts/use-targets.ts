// Reads all targets of a rollout, of which there can be 10,000. They run in the order of the list,
// so after the first time only the pages with targets that run now are read again.

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Failing } from "../../client/api-error.ts";
import { call } from "../../client/call.ts";
import { queryClient } from "../../client/queries.ts";
import { isMoving, type Rollout, type Target } from "./rollout.ts";

export const everyMs = 2_000;
const pageSize = 200;
/** The first time, this many pages are read in parallel. */
const pagesAtOnce = 5;

type Pages = readonly (readonly Target[])[];

/** While the targets are read for the first time, the data contains those read so far. */
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

/** `read` counts from 1. `onRead` gets all pages so far, each time new ones were read. */
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
    // The targets after these have not begun either.
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
