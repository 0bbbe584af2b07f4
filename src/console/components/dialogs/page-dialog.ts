import { createContext, type ReactNode, useContext } from "react";

export type Ask = (dialog: ReactNode) => void;

export const PageDialog = createContext<Ask | null>(null);

/**
 * Returns a function that shows a dialog on the page. The dialog stays even if the part of the page
 * that opened it, such as a table row, disappears. Null closes the dialog. Throws outside a `Page`.
 */
export function useAsk(): Ask {
  const ask = useContext(PageDialog);
  if (ask === null) throw new Error("a dialog of a page needs a page");
  return ask;
}
