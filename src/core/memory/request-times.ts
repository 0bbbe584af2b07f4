// How long requests took, by route and status. Filled on the hot path, so without the machinery of
// a metrics library: a look into two maps and three additions. Time that a call was held (a long
// poll, a reader that waits for a command, a slow reader of a download) is not counted: it is the
// caller's wish. All that the console answers is one series, and so are paths that lead nowhere: callers
// cannot make up new ones.

import type { RouteName } from "../../api/index.ts";

/** The upper bounds of the buckets, inclusive; a last one takes the rest. */
export const boundsMs = [0.5, 1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000];

/** Null: no route was found, or none was looked for. */
export type SeriesName = RouteName | "console" | null;

export interface RequestSeries {
  route: SeriesName;
  status: number;
  /** One for each bound and one for the rest; each request is in one of them. */
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

  /** As they are now; not to be changed. */
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
