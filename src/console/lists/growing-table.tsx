// A table that shows only the first of its loaded rows until the user asks for more. The number of
// shown rows doubles each time.

import { useState } from "react";
import { flushSync } from "react-dom";
import { Button } from "../components/buttons/button.tsx";
import { whenFocusIsLost } from "../components/focus/focus-main.ts";
import { focusBeside } from "../components/focus/use-focus-beside.ts";
import { texts } from "../texts/index.ts";
import { Table, type TableProps } from "./table.tsx";
import "./list.css";

interface GrowingTableProps<T> extends TableProps<T> {
  /** The number of rows at first. */
  atFirst: number;
}

export function GrowingTable<T>({ atFirst, rows, ...table }: GrowingTableProps<T>) {
  const [shown, setShown] = useState(atFirst);
  const more = Math.min(shown, rows.length - shown);
  return (
    <div className="growing-table">
      <Table {...table} rows={rows.slice(0, shown)} />
      {more > 0 && (
        <Button
          onClick={(event) => {
            // The button disappears once all rows are shown.
            const table = event.currentTarget.parentElement;
            const refocus = focusBeside(table?.querySelector("tbody tr:last-child"));
            flushSync(() => setShown(shown + more));
            whenFocusIsLost(refocus);
          }}
        >
          {texts.words.showMore({ many: more })}
        </Button>
      )}
    </div>
  );
}
