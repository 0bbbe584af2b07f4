// Durations of requests per route and status, without the time that calls spend waiting. All
// unknown paths share one series, so that callers cannot create new series.

import type { RouteName } from "../../api/index.ts";

/** Inclusive upper bounds of the buckets. One more bucket counts everything above them. */
export const boundsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** Null for requests without a route. */
export type SeriesName = RouteName | "console" | null;

export interface RequestSeries {
  route: SeriesName;
  status: number;
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

  /** Callers must not change the series. */
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
