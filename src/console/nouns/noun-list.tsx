// The list page of a noun, built from its description. Nouns with their own pages extend it.

import type { ComponentProps, ComponentType, ReactNode } from "react";
import type { Pagination } from "../../api/contract/route.ts";
import type { Reply } from "../client/call.ts";
import { usePage } from "../client/queries.ts";
import { Page } from "../components/page.tsx";
import { useKeptRows } from "../lists/kept-rows.ts";
import { List } from "../lists/list.tsx";
import { useListState } from "../lists/list-state.ts";
import { type Selection, useSelection } from "../lists/selection.tsx";
import { texts } from "../texts/index.ts";
import { hasPageOfOne } from "./addresses.ts";
import { BulkActs } from "./bulk-acts.tsx";
import { EmptyList } from "./empty-list.tsx";
import { mayDoAny, NounActs } from "./noun-acts.tsx";
import { type Cells, columnsOf } from "./noun-columns.tsx";
import { NounFilters } from "./noun-filters.tsx";
import { type NounName, nouns, type Row, titleOf } from "./nouns.ts";
import { useRights } from "./rights.ts";
import { StatusHelp } from "./status-help.tsx";
import { SavedViews, SaveViewButton } from "./views/saved-views.tsx";
import { useViewColumns } from "./views/view-columns.ts";

export type ListedRow<N extends NounName> = Reply<`${N}.list`>[number];

export interface Found {
  /** The filters that are set. */
  filters: Readonly<Record<string, string>>;
  /** Undefined until the rows have been read. */
  pagination: Pagination | undefined;
}

interface NounListProps<N extends NounName> {
  noun: N;
  frame?: ComponentType<ComponentProps<typeof Page>>;
  /** The page's buttons, which can depend on the filters and on the number of rows found. */
  actions?: ReactNode | ((found: Found) => ReactNode);
  /** The button that creates an object. In an empty list, it is below the message. */
  create?: ReactNode;
  cells?: Cells<ListedRow<N>>;
  /** Buttons for the selected rows, besides the noun's acts. */
  bulk?: ((selection: Selection<ListedRow<N>>) => ReactNode) | undefined;
  /** Buttons in a row. By default, these are the noun's acts if its objects have no page. */
  acts?: (row: ListedRow<N>) => ReactNode;
  /** Shown below the message that there are no rows, instead of `create`. */
  emptyHint?: ReactNode;
  /** Shown above the filters. */
  above?: ReactNode;
  /** Milliseconds until the rows are read again. By default, only changes cause this. */
  everyMs?: number;
  children?: ReactNode;
}

export function NounList<N extends NounName>(props: NounListProps<N>) {
  const { noun: name, frame: Frame = Page, actions, cells, acts, emptyHint, children } = props;
  const { above, bulk, create, everyMs = false } = props;
  const noun = nouns[name];
  const state = useListState(noun.filters.map((filter) => filter.name));
  const { page, pageSize, before, filters, asked } = state;
  // A hand-typed URL may contain a sort order that this list does not support.
  const sort = noun.sorts.some((field) => state.sort?.replace("-", "") === field)
    ? state.sort
    : noun.pageSort;
  const query = usePage(
    `${name}.list` as "agents.list",
    { query: { page, pageSize, sort, ...(noun.isLong ? { before } : {}), ...asked } as never },
    { everyMs },
  );
  const kept = useKeptRows(query, noun.filters);
  const may = useRights();
  const inRow =
    acts ??
    (hasPageOfOne(name) ? undefined : (row) => <NounActs noun={name} row={row as Row} inList />);
  const columns = columnsOf<ListedRow<N>>(noun, cells);
  if (inRow && mayDoAny(may, noun)) {
    const cell = (row: ListedRow<N>) => <div className="row">{inRow(row)}</div>;
    columns.push({ key: "acts", header: texts.words.change, cell, whole: true });
  }
  const isSelectable = (bulk !== undefined || hasPageOfOne(name)) && mayDoAny(may, noun);
  const selection = useSelection(
    (kept.data?.data ?? []) as unknown as readonly Row[],
    ({ id }) => id,
    (row) => titleOf(noun, row),
  );
  const chosen = useViewColumns(name, columns);
  const pagination = query.isPlaceholderData ? undefined : query.data?.pagination;
  const shown =
    typeof actions === "function"
      ? actions({ filters: filters as Found["filters"], pagination })
      : actions;
  const isBlank = pagination?.total === 0 && page === 1 && !before && !state.isFiltered;
  return (
    <Frame
      title={noun.title}
      badge={<StatusHelp noun={name} />}
      lead={noun.lead}
      actions={
        <>
          {shown}
          {!isBlank && create}
        </>
      }
    >
      {above}
      {!isBlank && (
        <>
          <SavedViews list={name} />
          <NounFilters
            list={noun}
            state={state}
            error={query.error}
            actions={<SaveViewButton list={name} state={state} columns={columns} chosen={chosen} />}
          />
        </>
      )}
      <List
        name={name}
        label={noun.title}
        query={kept as never}
        state={state}
        columns={columns}
        chosen={chosen}
        opensRows={hasPageOfOne(name)}
        selection={isSelectable ? (selection as never) : undefined}
        csv={{ list: `${name}.list`, query: { sort, ...asked } }}
        sorting={
          noun.sorts.length === 0
            ? undefined
            : { sort, onSort: state.setSort, hasOwnOrder: noun.pageSort !== undefined }
        }
        rowKey={(row) => (row as Row).id}
        empty={
          <EmptyList noun={noun} create={create}>
            {emptyHint}
          </EmptyList>
        }
      />
      {children}
      {isSelectable && (
        <BulkActs
          noun={noun}
          selection={selection}
          more={bulk?.(selection as unknown as Selection<ListedRow<N>>)}
        />
      )}
    </Frame>
  );
}
