import type { Pagination } from "../../api/contract/route.ts";
import { maxRowsCounted } from "../../domain/limits.ts";
import { texts } from "../texts/index.ts";

const whole = new Intl.NumberFormat(texts.locale);

/** `12,345` */
export function count(value: number): string {
  return whole.format(value);
}

/** `12,345`, or `more than 10,000` or `at least 500` if not all rows of a list were counted. */
export function totalText({ total, totalIsLowerBound }: Pagination): string {
  if (!totalIsLowerBound) return count(total);
  const { moreThan, atLeast } = texts.words;
  return total > maxRowsCounted ? moreThan(count(maxRowsCounted)) : atLeast(count(total));
}

/** `1 agent`, `2 agents`, `12,345 agents`. */
export function counted(value: number, one: string, many: string): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
