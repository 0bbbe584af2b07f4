import { createContext, type ReactNode, useContext } from "react";

export type Ask = (dialog: ReactNode) => void;

export const PageDialog = createContext<Ask>(() => undefined);

/**
 * Returns a function that shows a dialog on the page. The dialog stays even if the part of the page
 * that asks for it disappears, such as a row of a table. Null closes the dialog.
 */
export function useAsk(): Ask {
  return useContext(PageDialog);
}
