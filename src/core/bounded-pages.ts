// How far a page of a long list reaches, in the words of the API: the count may be a lower bound, and there may
// be more behind what was searched.

import { isoTime } from "../lib/iso-time.ts";
import type { Extent } from "../store/bounded-search.ts";

/** What `pagination` says beside page, size and total. Absent: the total is exact, and this is the end. */
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
