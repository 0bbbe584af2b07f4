// The saved views of a list: tabs that open them, with buttons that change and delete the current
// one, and a button that saves what the list shows.

import { Bookmark, Pencil, Users } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { type ViewedList, viewedLists } from "../../../domain/saved-views.ts";
import { usePage } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { DialogButton } from "../../components/dialogs/dialog-button.tsx";
import type { Choosable } from "../../lists/column-chooser.tsx";
import { areDefaults } from "../../lists/column-chooser.tsx";
import type { ListState } from "../../lists/list-state.ts";
import { LoadingMark } from "../../lists/loaded.tsx";
import { texts } from "../../texts/index.ts";
import { NounActs } from "../noun-acts.tsx";
import { EditView, SaveView } from "./save-view.tsx";
import { isViewOf, type View, viewAddress } from "./view-address.ts";
import { type ChosenColumns, shownColumns } from "./view-columns.ts";
import "../../components/tabs.css";
import "./views.css";

const words = texts.savedViews;

interface SavedViewsProps {
  /** The name of a noun. Nothing is shown for a list that cannot have views. */
  list: string;
  state: ListState<string>;
  columns: readonly Choosable[];
  chosen: ChosenColumns;
}

export function SavedViews({ list }: Pick<SavedViewsProps, "list">) {
  const viewed = viewedLists.find((each) => each === list);
  return viewed ? <Views list={viewed} /> : null;
}

export function SaveViewButton({ list, ...props }: SavedViewsProps) {
  const viewed = viewedLists.find((each) => each === list);
  return viewed ? <SaveButton list={viewed} {...props} /> : null;
}

function useViews(list: ViewedList) {
  const [params] = useSearchParams();
  const mayShare = useMay("operator");
  const { data, isPending } = usePage("saved-views.list", {
    query: { noun: list, sort: "name", pageSize: 100 },
  });
  const views = data?.data ?? [];
  return {
    isPending,
    views,
    current: views.find((view) => isViewOf(params, view)),
    mayChange: (view: View) => !view.shared || mayShare,
  };
}

function SaveButton(props: SavedViewsProps & { list: ViewedList }) {
  const { list, state, columns, chosen } = props;
  const [hidden] = chosen;
  const [params] = useSearchParams();
  const { isPending, views, current, mayChange } = useViews(list);
  const isChanged = state.isFiltered || state.sort !== undefined || !areDefaults(columns, hidden);
  if (isPending || current || !isChanged) return null;
  const query = { ...state.filters } as Record<string, string>;
  if (state.sort) query.sort = state.sort;
  if (params.has("columns") || !areDefaults(columns, hidden)) {
    query.columns = shownColumns(columns, hidden);
  }
  return (
    <DialogButton kind="quiet" text={words.save} icon={<Bookmark aria-hidden="true" />}>
      {(close) => (
        <SaveView list={list} query={query} views={views.filter(mayChange)} onClose={close} />
      )}
    </DialogButton>
  );
}

function Views({ list }: { list: ViewedList }) {
  const [params] = useSearchParams();
  const { isPending, views, current, mayChange } = useViews(list);
  if (isPending) return <LoadingMark />;
  if (views.length === 0) return null;
  const all = { noun: list, query: {} };
  return (
    <div className="views">
      <nav className="tabs" aria-label={words.label}>
        <ViewTab of={all} isCurrent={isViewOf(params, all)}>
          {words.all}
        </ViewTab>
        {views.map((view) => (
          <ViewTab key={view.id} of={view} isCurrent={view === current}>
            <span className="view-name">{view.name}</span>
            {view.shared && (
              <>
                <Users aria-hidden="true" />
                <span className="visually-hidden">{words.sharedSign}</span>
              </>
            )}
          </ViewTab>
        ))}
      </nav>
      {current && mayChange(current) && (
        <>
          <DialogButton kind="quiet" text={words.rename} icon={<Pencil />}>
            {(close) => <EditView view={current} onClose={close} />}
          </DialogButton>
          <NounActs noun="saved-views" row={current} inList />
        </>
      )}
    </div>
  );
}

interface ViewTabProps {
  of: Pick<View, "noun" | "query">;
  isCurrent: boolean;
  children: ReactNode;
}

function ViewTab({ of, isCurrent, children }: ViewTabProps) {
  return (
    <Link to={viewAddress(of)} aria-current={isCurrent ? "true" : undefined}>
      {children}
    </Link>
  );
}
