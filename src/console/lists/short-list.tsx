// The first rows of a list on another page, with a link to all of them.

import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "react-router";
import type { Pagination } from "../../api/contract/route.ts";
import { Empty } from "../components/empty.tsx";
import { totalOf } from "../format/number.ts";
import type { Message } from "../texts/messages.ts";
import { Loaded } from "./loaded.tsx";
import { Table, type TableProps } from "./table.tsx";

interface ShortTableProps<T> extends Pick<TableProps<T>, "name" | "label" | "columns"> {
  query: UseQueryResult<{ data: readonly T[]; pagination: Pagination }>;
  empty: string;
  all?: { to: string; text: Message<"total"> };
}

export function ShortTable<T extends { id: string }>(props: ShortTableProps<T>) {
  const { query, empty, all, ...table } = props;
  return (
    <Loaded query={query}>
      {({ data, pagination }) =>
        data.length === 0 ? (
          <Empty>{empty}</Empty>
        ) : (
          <>
            <Table {...table} rows={data} rowKey={({ id }) => id} />
            {all && (
              <p>
                <Link to={all.to}>{all.text({ total: totalOf(pagination) })}</Link>
              </p>
            )}
          </>
        )
      }
    </Loaded>
  );
}
