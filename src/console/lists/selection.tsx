// The rows of a list that the user has selected. Only rows on the current page count as selected.

import { useState } from "react";
import { texts } from "../texts/index.ts";

export interface Selection<T> {
  /** In the order in which the page shows them. */
  rows: readonly T[];
  has(row: T): boolean;
  toggle(row: T): void;
  isWhole: boolean;
  /** Selects the whole page, or nothing. */
  toggleAll(): void;
  /** Selects these rows only. */
  only(rows: readonly T[]): void;
  clear(): void;
  titleOf(row: T): string;
}

export function useSelection<T>(
  page: readonly T[],
  keyOf: (row: T) => string,
  titleOf: (row: T) => string,
): Selection<T> {
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  const rows = page.filter((row) => keys.has(keyOf(row)));
  const isWhole = page.length > 0 && rows.length === page.length;
  return {
    rows,
    isWhole,
    has: (row) => keys.has(keyOf(row)),
    toggle(row) {
      const next = new Set(rows.map(keyOf));
      if (!next.delete(keyOf(row))) next.add(keyOf(row));
      setKeys(next);
    },
    toggleAll: () => setKeys(new Set(isWhole ? [] : page.map(keyOf))),
    only: (chosen) => setKeys(new Set(chosen.map(keyOf))),
    clear: () => setKeys(new Set()),
    titleOf,
  };
}

export function SelectAll<T>({ selection }: { selection: Selection<T> }) {
  const { isWhole, rows, toggleAll } = selection;
  return (
    <input
      type="checkbox"
      aria-label={texts.selection.all}
      checked={isWhole}
      ref={(box) => {
        if (box) box.indeterminate = rows.length > 0 && !isWhole;
      }}
      onChange={toggleAll}
    />
  );
}

export function SelectRow<T>({ selection, row }: { selection: Selection<T>; row: T }) {
  return (
    <input
      type="checkbox"
      aria-label={texts.selection.one({ title: selection.titleOf(row) })}
      checked={selection.has(row)}
      onChange={() => selection.toggle(row)}
    />
  );
}
