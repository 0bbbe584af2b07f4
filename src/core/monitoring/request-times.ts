// Durations of requests by route and status. This is on the hot path, so it does without a metrics library. Time
// that a call waits (long polls, readers of a command's end, slow downloads) is not counted. The console is one
// series, and unknown paths are another, so callers cannot create new ones.

import type { RouteName } from "../../api/index.ts";

/** The inclusive upper bounds of the buckets; one more takes the rest. */
export const boundsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** Null for requests without a route. */
export type SeriesName = RouteName | "console" | null;

export interface RequestSeries {
  route: SeriesName;
  status: number;
  /** One for each bound, and one for the rest. */
  counts: Float64Array;
  sumMs: number;
}

export class RequestTimes {
  readonly #byRoute = new Map<SeriesName, Map<number, RequestSeries>>();

  note(route: SeriesName, status: number, ms: number): void {
    const series = this.#byRoute.get(route)?.get(status) ?? this.#add(route, status);
    let bucket = 0;
    while (bucket < boundsMs.length && ms > (boundsMs[bucket] as number)) bucket++;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sumMs += ms;
  }

  /** The current series, which callers must not change. */
  *all(): Generator<Readonly<RequestSeries>> {
    for (const byStatus of this.#byRoute.values()) yield* byStatus.values();
  }

  #add(route: SeriesName, status: number): RequestSeries {
    const counts = new Float64Array(boundsMs.length + 1);
    const series: RequestSeries = { route, status, counts, sumMs: 0 };
    const byStatus = this.#byRoute.get(route);
    if (byStatus) byStatus.set(status, series);
    else this.#byRoute.set(route, new Map([[status, series]]));
    return series;
  }
}
