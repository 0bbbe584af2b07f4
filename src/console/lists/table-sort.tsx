// Controls for the order of a table's rows: the headings, or a field on narrow screens, where the
// headings are hidden. The server sorts the rows.

import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { ChoiceField } from "../fields/inputs.tsx";
import { texts } from "../texts/index.ts";

export interface Sorting {
  /** The field to sort by, with `-` for descending order; undefined for the default order. */
  sort: string | undefined;
  onSort: (sort: string | null) => void;
  /** Whether the default order is something other than the newest rows first. */
  hasOwnOrder?: boolean;
}

interface SortButtonProps extends Sorting {
  header: string;
  field: string;
}

/** The first click sorts in ascending order, the second in descending order. The third resets. */
export function SortButton({ header, field, sort, onSort }: SortButtonProps) {
  const direction = directionOf(sort, field);
  const Sign = { ascending: ArrowUp, descending: ArrowDown, none: ChevronsUpDown }[direction];
  const next = { none: field, ascending: `-${field}`, descending: null }[direction];
  return (
    <button type="button" className="sort-button" onClick={() => onSort(next)}>
      {header}
      <Sign aria-hidden className={direction === "none" ? "muted" : undefined} />
    </button>
  );
}

export function directionOf(
  sort: string | undefined,
  field: string,
): "ascending" | "descending" | "none" {
  if (sort === field) return "ascending";
  return sort === `-${field}` ? "descending" : "none";
}

interface SortFieldProps extends Sorting {
  columns: readonly { header: string; sortsBy?: string }[];
}

export function SortField({ columns, sort, onSort, hasOwnOrder = false }: SortFieldProps) {
  const choices = columns.flatMap(({ header, sortsBy }) =>
    sortsBy === undefined
      ? []
      : ([
          [sortsBy, header],
          [`-${sortsBy}`, texts.words.descending({ column: header })],
        ] as const),
  );
  return (
    <div className="sort-field">
      <ChoiceField<string>
        label={texts.words.sortBy}
        value={sort ?? ""}
        onChange={(value) => onSort(value || null)}
        options={hasOwnOrder ? choices : [["", texts.words.newestFirst], ...choices]}
      />
    </div>
  );
}
