// The hidden columns of a list: those of the view in the URL, or else those that the browser
// stores.

import { useParameters } from "../../components/use-parameters.ts";
import { type Choosable, useHiddenColumns } from "../../lists/column-chooser.tsx";

export type ChosenColumns = ReturnType<typeof useHiddenColumns>;

/** The column with the buttons. Views do not contain it. */
const buttons = "acts";

export function useViewColumns(name: string, columns: readonly Choosable[]): ChosenColumns {
  const stored = useHiddenColumns(name, columns);
  const [query, changeQuery] = useParameters();
  const given = query.get("columns")?.split(",");
  const hidden = columns.map(({ key }) => key).filter((key) => !given?.includes(key));
  // All columns of the view may have been removed since it was saved.
  if (!given || hidden.length === columns.length) return stored;
  const change = (next: ReadonlySet<string>) =>
    changeQuery({ columns: shownColumns(columns, next) });
  return [new Set(hidden.filter((key) => key !== buttons)), change];
}

/** Returns the shown columns for the query of a view: names, separated by commas. */
export function shownColumns(columns: readonly Choosable[], hidden: ReadonlySet<string>): string {
  return columns
    .map(({ key }) => key)
    .filter((key) => !hidden.has(key) && key !== buttons)
    .join(",");
}
