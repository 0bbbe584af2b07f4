// The table of all lists. Narrow screens show each row as a card.

import type { MouseEvent, ReactNode } from "react";
import { SelectAll, type Selection, SelectRow } from "./selection.tsx";
import { type Choosable, ColumnChooser, useHiddenColumns } from "./table-columns.tsx";
import { directionOf, SortButton, SortField, type Sorting } from "./table-sort.tsx";
import "./table.css";

export interface Column<T> extends Choosable {
  cell: (row: T) => ReactNode;
  align?: "end";
  /** The field by which the server can sort the rows. */
  sortsBy?: string;
}

export function column<T>(
  key: string,
  header: string,
  cell: Column<T>["cell"],
  more: Pick<Column<T>, "align" | "extra"> = {},
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
  /** Whether the first link of a row opens what the row is about, so that a click in the row does, too. */
  opensRows?: boolean;
  /** Absent if the order is fixed. */
  sorting?: Sorting | undefined;
  /** The hidden columns, if the table does not store them itself. */
  chosen?: ReturnType<typeof useHiddenColumns>;
}

export function Table<T>(props: TableProps<T>) {
  const { name, label, columns, rows, rowKey, stale = false, sorting, selection } = props;
  const { opensRows = false } = props;
  const stored = useHiddenColumns(name, columns);
  const [hidden, setHidden] = props.chosen ?? stored;
  const shown = columns.filter(({ key }) => !hidden.has(key));
  return (
    <div className="table-frame panel" aria-busy={stale}>
      {sorting && <SortField columns={columns} {...sorting} />}
      <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {selection && (
              <th scope="col" className="select-cell">
                <SelectAll selection={selection} />
              </th>
            )}
            {shown.map(({ key, header, align, sortsBy }) => (
              <th
                key={key}
                scope="col"
                className={align && `align-${align}`}
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
            // The link in the row does the same for the keyboard.
            <tr key={rowKey(row)} onClick={opensRows ? openRow : undefined}>
              {selection && (
                <td className="select-cell">
                  <SelectRow selection={selection} row={row} />
                </td>
              )}
              {shown.map(({ key, header, cell, align }) => (
                <td key={key} data-label={header} className={align && `align-${align}`}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A click anywhere in a row opens what the row is about, unless it selects text or has another purpose. */
function openRow({ target, currentTarget, metaKey, ctrlKey, shiftKey }: MouseEvent<HTMLElement>) {
  const isModified = metaKey || ctrlKey || shiftKey;
  const isOther = (target as Element).closest(
    "a, button, input, label, select, dialog, .select-cell",
  );
  if (isModified || isOther || getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>("td a")?.click();
}
