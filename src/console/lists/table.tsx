// The table that all lists use. Narrow screens show each row as a card.

import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { areDefaults, type Choosable, ColumnChooser, useHiddenColumns } from "./column-chooser.tsx";
import { useRowKeys } from "./row-keys.ts";
import { SelectAll, type Selection } from "./selection.tsx";
import { type CellOf, Row } from "./table-row.tsx";
import { directionOf, SortButton, SortField, type Sorting } from "./table-sort.tsx";
import "./table.css";
import "./cards.css";

export interface Column<T> extends Choosable, CellOf<T> {
  /** The field by which the server can sort the rows. */
  sortsBy?: string;
}

export function column<T>(
  key: string,
  header: string,
  cell: Column<T>["cell"],
  more: Pick<Column<T>, "align" | "whole" | "extra" | "card"> = {},
): Column<T> {
  return { key, header, cell, ...more };
}

export interface TableProps<T> {
  /** The choice of columns is stored under this name. */
  name: string;
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** The rows belong to the previous page or filters; new rows are loading. */
  stale?: boolean;
  /** Absent if rows cannot be selected. */
  selection?: Selection<T> | undefined;
  /** Whether a click anywhere in a row opens the row's first link. */
  opensRows?: boolean;
  /** Absent if the order is fixed. */
  sorting?: Sorting | undefined;
  /** Opens the panel about a row. Absent if keys do nothing in this table. */
  onPeek?: (row: T, key: "space" | "move") => void;
  /** The hidden columns, if the table does not store them itself. */
  chosen?: ReturnType<typeof useHiddenColumns>;
}

export function Table<T>(props: TableProps<T>) {
  const { name, label, columns, rows, rowKey, stale = false, sorting, selection } = props;
  const { opensRows = false } = props;
  const stored = useHiddenColumns(name, columns);
  const [hidden, setHidden] = props.chosen ?? stored;
  const isCards = columns.some(({ key, card }) => card !== undefined && !hidden.has(key));
  // Once the user has chosen columns, they stay visible, however narrow the table is.
  const mayFold = isCards && areDefaults(columns, hidden);
  const shown = columns
    .filter(({ key }) => !hidden.has(key))
    .map((one) => ({ ...one, folds: mayFold && one.card === undefined && one.whole !== true }));
  const frame = useRef<HTMLDivElement>(null);
  const isWider = useIsWider(frame);
  useRowKeys(frame, rows, props.onPeek);
  return (
    <div className={`table-frame panel${isCards ? " cards" : ""}`} aria-busy={stale}>
      {sorting && <SortField columns={columns} {...sorting} />}
      <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
      <div ref={frame} className={isWider ? "table-scroll" : undefined}>
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="select-cell">
                  <SelectAll selection={selection} />
                </th>
              )}
              {shown.map(({ key, header, align, sortsBy, folds }) => (
                <th
                  key={key}
                  scope="col"
                  className={align && `align-${align}`}
                  data-folds={folds || undefined}
                  aria-sort={sortsBy && sorting ? directionOf(sorting.sort, sortsBy) : undefined}
                >
                  {sortsBy && sorting ? (
                    <SortButton header={header} field={sortsBy} {...sorting} />
                  ) : (
                    header
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={rowKey(row)}
                row={row}
                columns={shown}
                opens={opensRows}
                isCard={isCards}
                selection={selection}
              />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/**
 * Whether the table is wider than its frame. The frame scrolls only in this case, because the
 * header row of a table in a scrolling frame cannot stay at the top of the window.
 */
function useIsWider(frame: RefObject<HTMLElement | null>): boolean {
  const [isWider, setIsWider] = useState(false);
  useLayoutEffect(() => {
    const { current } = frame;
    const table = current?.firstElementChild;
    if (!current || !table) return;
    const measure = () => setIsWider(table.scrollWidth > current.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    observer.observe(table);
    return () => observer.disconnect();
  }, [frame]);
  return isWider;
}
