// How far back the pages of a list reach, for the console and the command line.

import { maxRowsCounted } from "../../domain/limits.ts";
import type { Pagination } from "./route.ts";

/**
 * Returns how many rows `page` can reach: the newest 10,000 of a long list (which has `next`),
 * otherwise all.
 */
export function rowsInPages({ total, totalIsLowerBound, next }: Pagination): number {
  const isLong = totalIsLowerBound === true || next !== undefined;
  return isLong ? Math.min(total, maxRowsCounted) : total;
}
