// A row of a table. As a card, it has the title, the status and a few facts; a button shows the
// rest, unless the row opens a page that does.

import { ChevronDown } from "lucide-react";
import { type MouseEvent, type ReactNode, useRef, useState } from "react";
import { IconButton } from "../components/buttons/button.tsx";
import { useFocusBeside } from "../components/focus/use-focus-beside.ts";
import { Cut } from "../components/text/cut.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { texts } from "../texts/index.ts";
import { openerOf } from "./row-keys.ts";
import { type Selection, SelectRow } from "./selection.tsx";

export interface CellOf<T> {
  cell: (row: T) => ReactNode;
  align?: "end";
  /** The cell is never cut. Other cells show at most two lines. */
  whole?: true;
  /** The cell's place in the card on a narrow screen. By default, the card hides it at first. */
  card?: "title" | "state" | "fact" | "acts";
}

interface RowProps<T> {
  row: T;
  columns: readonly (CellOf<T> & { key: string; header: string; folds: boolean })[];
  opens: boolean;
  isCard: boolean;
  selection: Selection<T> | undefined;
}

export function Row<T>({ row, columns, opens, isCard, selection }: RowProps<T>) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLTableRowElement>(null);
  useFocusBeside(place);
  const hasRest = isCard && !opens && columns.some(({ card }) => card === undefined);
  return (
    // For the keyboard, the link in the row does the same.
    <tr ref={place} onClick={opens ? openRow : undefined} data-open={isOpen || undefined}>
      {selection && (
        <td className="select-cell">
          <SelectRow selection={selection} row={row} />
        </td>
      )}
      {columns.map(({ key, header, cell, align, whole, card, folds }) => (
        <td
          key={key}
          data-label={header}
          data-card={isCard ? (card ?? "rest") : undefined}
          data-folds={folds || undefined}
          className={align && `align-${align}`}
        >
          {whole ? softBreaks(cell(row)) : <CutCell>{cell(row)}</CutCell>}
        </td>
      ))}
      {hasRest && (
        <td className="more-cell">
          <IconButton
            label={texts.words.more}
            icon={<ChevronDown />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          />
        </td>
      )}
    </tr>
  );
}

/** An empty cell has no element, so that a card leaves it out. */
function CutCell({ children }: { children: ReactNode }) {
  const isEmpty = children === null || children === undefined || children === false;
  return isEmpty ? null : <Cut>{children}</Cut>;
}

/** Opens the row's page on a click anywhere in the row, unless the click has another purpose. */
function openRow({ target, currentTarget, metaKey, ctrlKey, shiftKey }: MouseEvent<HTMLElement>) {
  const isModified = metaKey || ctrlKey || shiftKey;
  const isOther = (target as Element).closest("a, button, input, label, select, .select-cell");
  if (isModified || isOther || getSelection()?.isCollapsed === false) return;
  openerOf(currentTarget)?.click();
}
