// How far back the pages of a list reach, for the console and the command line.

import { maxRowsCounted } from "../../domain/limits.ts";
import type { Pagination } from "./route.ts";

/** The number of rows that `page` reaches: the newest 10,000 of long lists (with `next`), every row of others. */
export function rowsInPages({ total, totalIsLowerBound, next }: Pagination): number {
  const isLong = totalIsLowerBound === true || next !== undefined;
  return isLong ? Math.min(total, maxRowsCounted) : total;
}
