import { useState } from "react";
import { resultLimits } from "../../domain/limits.ts";
import type { ResultList } from "../../domain/results/structured-result.ts";
import { Button } from "../components/buttons/button.tsx";
import { texts } from "../texts/index.ts";
import { OfferLinks, type Offers } from "./offers.tsx";
import { ResultCell, rowName } from "./result-cell.tsx";

const words = texts.results;

interface ResultTableProps {
  list: ResultList;
  /** The table's name, if it has no title of its own. */
  label: string;
  offers: Offers | null;
}

export function ResultTable({ list, label, offers }: ResultTableProps) {
  const { columns, otherColumns, rows, rowActions, pageActions, total } = list;
  const [begin, setBegin] = useState(0);
  const atOnce = rowsAtOnce(list);
  const shown = rows.slice(begin, begin + atOnce);
  const title = list.title || label;
  const first = list.first + begin;
  const last = first + shown.length - 1;
  const hasActions = offers !== null && rowActions.length > 0;
  return (
    <div className="stack result-list">
      <div className="row">
        {list.title && <h3>{list.title}</h3>}
        <span className="muted">
          {first > 1 || shown.length < total
            ? words.part({ first, last, total })
            : words.rows({ many: total })}
        </span>
        {offers && pageActions.length > 0 && (
          <OfferLinks offers={offers} actions={pageActions} nameOf={(index) => `page-${index}`} />
        )}
      </div>
      {rows.length === 0 ? (
        <p className="muted">{list.emptyText || words.empty}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        <section className="value-scroll panel" tabIndex={0} aria-label={words.tableOf({ title })}>
          <table>
            <thead>
              <tr>
                {columns.map(({ key, label: head }) => (
                  <th key={key} scope="col">
                    {head}
                  </th>
                ))}
                {hasActions && (
                  <th scope="col" className="result-row-actions">
                    {words.actions}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {shown.map((row, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows do not change
                <tr key={at}>
                  {columns.map((column) => (
                    <td key={column.key}>
                      <ResultCell row={row} field={column} />
                    </td>
                  ))}
                  {hasActions && (
                    <td className="result-row-actions">
                      <OfferLinks
                        offers={offers}
                        actions={rowActions}
                        nameOf={(index) => `row-${index}-${begin + at}`}
                        about={rowName(row, columns, begin + at)}
                      />
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      {shown.length < rows.length && (
        <div className="row">
          <Button disabled={begin === 0} onClick={() => setBegin(Math.max(0, begin - atOnce))}>
            {texts.words.previousPage}
          </Button>
          <Button disabled={begin + atOnce >= rows.length} onClick={() => setBegin(begin + atOnce)}>
            {texts.words.nextPage}
          </Button>
        </div>
      )}
      {otherColumns > 0 && <p className="muted">{words.otherColumns({ many: otherColumns })}</p>}
    </div>
  );
}

/** Wide tables show fewer rows at once, so that no table freezes the browser. */
function rowsAtOnce({ columns, rowActions, pageSize }: ResultList): number {
  const cells = columns.length + rowActions.length;
  return Math.max(1, Math.min(pageSize, Math.floor(resultLimits.cells / Math.max(1, cells))));
}
