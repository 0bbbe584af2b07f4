// The one table of lists. Narrow screens show each row as a card. Which columns are shown is the reader's
// choice, and kept.

import type { ReactNode } from "react";
import { ColumnChooser, useHiddenColumns } from "./table-columns.tsx";
import "./table.css";

export interface Column<T> {
  key: string;
  header: string;
  cell: (row: T) => ReactNode;
  /** Not shown until it is asked for. */
  extra?: boolean;
  /** Numbers. */
  align?: "end";
}

interface TableProps<T> {
  /** By which the choice of columns is kept: the noun. */
  name: string;
  /** What it lists, for readers. */
  label: string;
  columns: Column<T>[];
  rows: readonly T[];
  rowKey: (row: T) => string;
  /** Old rows while new ones come. */
  stale?: boolean;
}

export function Table<T>({ name, label, columns, rows, rowKey, stale = false }: TableProps<T>) {
  const [hidden, setHidden] = useHiddenColumns(name, columns);
  const shown = columns.filter(({ key }) => !hidden.has(key));
  return (
    <div className="table-frame" aria-busy={stale}>
      <ColumnChooser columns={columns} hidden={hidden} onChange={setHidden} />
      <table className="table" aria-label={label}>
        <thead>
          <tr>
            {shown.map(({ key, header, align }) => (
              <th key={key} scope="col" className={align && `align-${align}`}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)}>
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
