// A table of rows that are all loaded, but of which it shows only the first ones until the user asks
// for more. The number of shown rows doubles each time.

import { useState } from "react";
import { Button } from "../components/buttons/button.tsx";
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
        <Button onClick={() => setShown(shown + more)}>
          {texts.words.showMore({ many: more })}
        </Button>
      )}
    </div>
  );
}
