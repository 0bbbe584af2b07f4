// How far back the pages of a list reach, for the console and the command line. A file of its own: the console
// needs nothing else of the API for it.

import { maxRowsCounted } from "../../domain/limits.ts";
import type { Pagination } from "./route.ts";

export { maxRowsCounted };

/** How many rows `page` can get at: of long lists, which give `next`, the newest 10,000; of others every row. */
export function rowsInPages({ total, totalIsLowerBound, next }: Pagination): number {
  const isLong = totalIsLowerBound === true || next !== undefined;
  return isLong ? Math.min(total, maxRowsCounted) : total;
}
