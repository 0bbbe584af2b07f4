import { maxRowsCounted } from "../../domain/limits.ts";
import type { Pagination } from "./route.ts";

/** Returns the number of rows that `page` can reach. Only long lists have `next`. */
export function rowsInPages({ total, totalIsLowerBound, next }: Pagination): number {
  const isLong = totalIsLowerBound === true || next !== undefined;
  return isLong ? Math.min(total, maxRowsCounted) : total;
}
