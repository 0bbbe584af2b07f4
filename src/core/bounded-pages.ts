// Pages of long lists, whose total may be a lower bound and whose search may stop early.

import type { Pagination } from "../api/contract/route.ts";
import { writeCursor } from "../domain/list-cursor.ts";
import { isoTime } from "../lib/iso-time.ts";
import type { Extent } from "../store/bounded-search.ts";

/** The fields of `pagination` besides page, size and total. */
export type PageBounds = Omit<Pagination, "page" | "pageSize" | "total">;

export function boundedPage<T>(items: T[], { total, isLowerBound, next, searchedTo }: Extent) {
  const further: PageBounds = {
    ...(isLowerBound ? { totalIsLowerBound: true } : {}),
    ...(next ? { next: writeCursor(next) } : {}),
    ...(searchedTo === null ? {} : { searchedTo: isoTime(searchedTo) }),
  };
  return { items, total, further };
}
