// Pages of long lists. The total may be a lower bound, and the search may have stopped before the
// end.

import { isoTime } from "../lib/iso-time.ts";
import type { Extent } from "../store/bounded-search.ts";

/**
 * The fields of `pagination` besides page, size and total. Empty if the count is exact and the
 * search reached the end.
 */
export interface Further {
  totalIsLowerBound?: true;
  next?: string;
  searchedTo?: string;
}

export function boundedPage<T>(items: T[], { total, isLowerBound, next, searchedTo }: Extent) {
  const further: Further = {
    ...(isLowerBound ? { totalIsLowerBound: true } : {}),
    ...(next ? { next: `${next.at}.${next.key}` } : {}),
    ...(searchedTo === null ? {} : { searchedTo: isoTime(searchedTo) }),
  };
  return { items, total, further };
}
