// Pages of long lists: the total may be a lower bound, and the search may not have reached the end.

import { isoTime } from "../lib/iso-time.ts";
import type { Extent } from "../store/bounded-search.ts";

/** What `pagination` contains besides page, size and total; empty at the end of an exact count. */
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
