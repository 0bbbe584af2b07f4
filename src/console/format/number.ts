import type { Pagination } from "../../api/contract/route.ts";
import { maxRowsCounted } from "../../domain/limits.ts";
import { texts } from "../texts/index.ts";
import type { Amount } from "../texts/messages.ts";

/** `12,345` */
export const { format: count } = new Intl.NumberFormat(texts.locale);

/** Returns the total; if not all rows were counted, `more than 10,000` or `at least 500`. */
export function totalOf({ total, totalIsLowerBound }: Pagination): Amount {
  if (!totalIsLowerBound) return total;
  const { moreThan, atLeast } = texts.words;
  return total > maxRowsCounted ? moreThan({ total: maxRowsCounted }) : atLeast({ total });
}
