// A page of a list: its table, the number of rows, and buttons for the other pages.

import type { UseQueryResult } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Navigate, useSearchParams } from "react-router";
import { rowsInPages } from "../../api/contract/list-limits.ts";
import type { Pagination } from "../../api/contract/route.ts";
import { Button, IconButton } from "../components/buttons/button.tsx";
import { Empty } from "../components/empty.tsx";
import { focusMain } from "../components/focus/focus-main.ts";
import { totalOf } from "../format/number.ts";
import { exactTime } from "../format/time.ts";
import { texts } from "../texts/index.ts";
import { type CsvOf, DownloadCsv } from "./download-csv.tsx";
import type { ListState } from "./list-state.ts";
import { Loaded } from "./loaded.tsx";
import { Peek } from "./peek.tsx";
import { Table, type TableProps } from "./table.tsx";
import "./list.css";

interface ListProps<T> extends Omit<TableProps<T>, "rows" | "stale" | "onPeek"> {
  query: UseQueryResult<{ data: readonly T[]; pagination: Pagination }>;
  state: ListState<never>;
  /** The list that `Download CSV` saves. Absent if the page has its own export. */
  csv?: CsvOf;
  /** Shown if there are no rows at all. */
  empty?: ReactNode;
}

export function List<T>({ query, state, empty, csv, ...table }: ListProps<T>) {
  const [peeked, setPeeked] = useState<string | null>(null);
  const onPeek = (row: T, key: "space" | "move") => {
    const id = table.rowKey(row);
    setPeeked((before) => (key === "move" ? before && id : before === id ? null : id));
  };
  return (
    <Loaded query={query}>
      {({ data, pagination }) =>
        data.length === 0 && pagination.page === 1 ? (
          <>
            <Empty>
              {pagination.searchedTo
                ? texts.words.nothingSince({ time: exactTime(pagination.searchedTo) })
                : state.before
                  ? texts.words.nothingOlder
                  : state.isFiltered
                    ? texts.words.nothingFound
                    : (empty ?? texts.words.nothingHere)}
              {state.isFiltered && <ClearFilters onClear={state.clearFilters} />}
            </Empty>
            <div className="row pages">
              <Beyond pagination={pagination} state={state} />
            </div>
          </>
        ) : data.length === 0 && query.isPlaceholderData ? (
          // Another page, perhaps with other filters, is already loading.
          <Empty>{texts.words.loading}</Empty>
        ) : data.length === 0 ? (
          <ToLastPage pagination={pagination} />
        ) : (
          <>
            <Table {...table} rows={data} stale={query.isPlaceholderData} onPeek={onPeek} />
            {data
              .filter((row) => table.rowKey(row) === peeked)
              .map((row) => (
                <Peek
                  key="peek"
                  row={row}
                  columns={table.columns}
                  onClose={() => setPeeked(null)}
                />
              ))}
            <Pages pagination={pagination} state={state} csv={csv} />
          </>
        )
      }
    </Loaded>
  );
}

/** The button among the filters may be out of view. */
function ClearFilters({ onClear }: { onClear: () => void }) {
  const clear = () => {
    onClear();
    focusMain();
  };
  return (
    <p>
      <Button onClick={clear}>{texts.words.clearFilters}</Button>
    </p>
  );
}

const pageSizes = [20, 50, 100, 200];

function pagesOf(pagination: Pagination): number {
  return Math.max(1, Math.ceil(rowsInPages(pagination) / pagination.pageSize));
}

/** Goes to the last page if the page in the URL does not exist. */
function ToLastPage({ pagination }: { pagination: Pagination }) {
  const [query] = useSearchParams();
  const last = pagesOf(pagination);
  if (pagination.page <= last) return <Empty>{texts.words.nothingHere}</Empty>;
  const next = new URLSearchParams(query);
  if (last === 1) next.delete("page");
  else next.set("page", String(last));
  return (
    <>
      <Navigate to={{ search: `${next}` }} replace />
      <Empty>{texts.words.loading}</Empty>
    </>
  );
}

/** Buttons that lead past the last numbered page of a long list, and back to the newest rows. */
function Beyond({ pagination, state }: { pagination: Pagination; state: ListState<never> }) {
  const { page, next } = pagination;
  const isMore = next !== undefined && page >= pagesOf(pagination);
  if (!isMore && !state.before) return null;
  return (
    <span className="row">
      {isMore && <Button onClick={() => state.setBefore(next)}>{texts.words.older}</Button>}
      {state.before && <Button onClick={() => state.setBefore(null)}>{texts.words.newest}</Button>}
    </span>
  );
}

interface PagesProps {
  pagination: Pagination;
  state: ListState<never>;
  csv: CsvOf | undefined;
}

/** Leaves out the page controls if even the smallest page size shows all rows. */
function Pages({ pagination, state, csv }: PagesProps) {
  const { page, pageSize, total } = pagination;
  const isWhole = page === 1 && total <= Math.min(pageSize, ...pageSizes);
  const pages = pagesOf(pagination);
  const first = Math.min(total, (page - 1) * pageSize + 1);
  const last = Math.min(total, page * pageSize);
  return (
    <div className="row pages">
      <span className="muted" role="status">
        {texts.words.rowsOf({ from: first, to: last, total: totalOf(pagination) })}
        {pagination.searchedTo &&
          ` ${texts.words.searchedTo({ time: exactTime(pagination.searchedTo) })}`}
      </span>
      <Beyond pagination={pagination} state={state} />
      <span className="row">
        {csv && <DownloadCsv {...csv} />}
        {!isWhole && (
          <>
            <label className="row">
              <span className="muted">{texts.words.rowsPerPage}</span>
              <select
                className="control"
                value={pageSize}
                onChange={(event) => state.setPageSize(Number(event.target.value))}
              >
                {[...new Set([...pageSizes, pageSize])]
                  .sort((a, b) => a - b)
                  .map((size) => (
                    <option key={size}>{size}</option>
                  ))}
              </select>
            </label>
            <IconButton
              label={texts.words.previousPage}
              icon={<ChevronLeft />}
              disabled={page <= 1}
              onClick={() => state.setPage(Math.min(page - 1, pages))}
            />
            <span>{texts.words.page({ page, pages })}</span>
            <IconButton
              label={texts.words.nextPage}
              icon={<ChevronRight />}
              disabled={page >= pages}
              onClick={() => state.setPage(page + 1)}
            />
          </>
        )}
      </span>
    </div>
  );
}
