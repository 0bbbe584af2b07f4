// Statements that change many rows, each with its own value. The rows are split into blocks of a
// few fixed sizes, so that there are few different statements.

import type { Tx } from "./database.ts";

/** A row's id, and a time in Unix milliseconds. */
export type TimeOf = readonly [id: string, at: number];

const sizes = [100, 10, 1];

export function blocksOf<T>(items: readonly T[]): T[][] {
  const blocks: T[][] = [];
  for (let at = 0; at < items.length; ) {
    const size = sizes.find((each) => each <= items.length - at) as number;
    blocks.push(items.slice(at, at + size));
    at += size;
  }
  return blocks;
}

/**
 * Prepares an UPDATE of rows by their ids. In `set` and `where`, the row's numbers are `v.column2`
 * and the columns after it.
 */
export function blockUpdater<Row extends readonly [id: string, ...values: (number | null)[]]>(
  table: string,
  { values, set, where }: { values: number; set: string; where: string },
) {
  // PostgreSQL needs the types.
  const row = `(CAST(? AS TEXT)${", CAST(? AS BIGINT)".repeat(values)})`;
  const sqlFor = (size: number) =>
    `UPDATE ${table} SET ${set} FROM (VALUES ${placeholders(size, row)}) AS v
     WHERE ${table}.id = v.column1 AND ${where}`;
  const texts = new Map(sizes.map((size) => [size, sqlFor(size)]));
  return async (tx: Tx, rows: readonly Row[]): Promise<void> => {
    await Promise.all(
      blocksOf(rows).map((block) => tx.run(texts.get(block.length) as string, ...block.flat())),
    );
  };
}

/** Returns `count` placeholders for parameters. */
export function placeholders(count: number, each = "?"): string {
  return Array.from({ length: count }, () => each).join(", ");
}

/**
 * Repeats the last item, so that a statement has the same text for any number of items. There must
 * be at least one.
 */
export function filled<T>(items: readonly T[], length: number): T[] {
  return [...items, ...Array<T>(length - items.length).fill(items.at(-1) as T)];
}
