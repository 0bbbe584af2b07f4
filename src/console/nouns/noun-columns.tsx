// The columns of a noun's list. The kind of a column determines how its values are shown.

import type { ReactNode } from "react";
import { fits } from "../../api/contract/cells.ts";
import type { Noun, NounColumn } from "../../api/contract/noun.ts";
import { shortId } from "../format/ids.ts";
import type { Column } from "../lists/table.tsx";
import { StatusBadge } from "../values/status-badge.tsx";
import { Time } from "../values/time.tsx";
import { hasPageOfOne } from "./addresses.ts";
import { textIn } from "./cell-texts.ts";
import { DeclaredSign, whereDeclared } from "./declared.tsx";
import { NounLink } from "./noun-link.tsx";
import { headingOf, isNamed, nounNamed, type Row, titleOf } from "./nouns.ts";

/** Cells by column name. They replace the default cells of the column's kind. */
export type Cells<T> = Readonly<Record<string, (row: T) => ReactNode>>;

/** The link to the object comes first, then its name. `only` names the columns to return. */
export function columnsOf<T extends object>(
  noun: Noun,
  cells: Cells<T> = {},
  only?: readonly string[],
): Column<T>[] {
  const all = noun.columns.filter(({ name }) => only?.includes(name) ?? true);
  const isFirst = ({ of }: NounColumn) => of === (noun.opens ?? noun.code ?? noun.name);
  const rank = (column: NounColumn) => (isFirst(column) ? 0 : column.of === noun.name ? 1 : 2);
  const ordered = all.toSorted((a, b) => rank(a) - rank(b));
  const state = ordered.find(({ kind }) => kind === "state");
  const isPlain = (column: NounColumn) => column !== state && !isFirst(column) && !isExtra(column);
  const facts =
    noun.facts ??
    ordered
      .filter(isPlain)
      .slice(0, 3)
      .map(({ name }) => name);
  const cardOf = (column: NounColumn): Pick<Column<T>, "card"> => {
    if (isFirst(column)) return { card: "title" };
    if (column === state) return { card: "state" };
    return facts.includes(column.name) ? { card: "fact" } : {};
  };
  return ordered.map((column) => ({
    key: column.name,
    header: headingOf(column),
    extra: isExtra(column),
    ...cardOf(column),
    ...(column.kind === "number" ? { align: "end" } : {}),
    ...(typeof column.of === "string" && noun.sorts.includes(column.of)
      ? { sortsBy: column.of }
      : {}),
    cell: (row) => {
      if (isDeclaration(column)) return whereDeclared({ of: row });
      const cell = cells[column.name]?.(row);
      if (!isFirst(column)) return cell ?? cellOf(column, row);
      return (
        <>
          {cell ?? openingCell(noun, column, row as Row)}
          <DeclaredSign of={row} />
        </>
      );
    },
  }));
}

function isExtra({ wide }: NounColumn): boolean {
  return wide === true || wide === "page";
}

function isDeclaration({ of }: NounColumn): boolean {
  return typeof of === "object" && of.cell === "declaredIn";
}

function openingCell(noun: Noun, column: NounColumn, row: Row): ReactNode {
  const text = String(textIn(row, column.of) ?? titleOf(noun, row));
  return hasPageOfOne(noun.noun) ? (
    <NounLink to={noun.noun} id={row.id}>
      {text}
    </NounLink>
  ) : (
    text
  );
}

export function cellOf(column: NounColumn, row: object): ReactNode {
  const { of, kind, none, link, values } = column;
  if (!fits(row, column.while)) return null;
  const value = textIn(row, of) ?? null;
  if (kind === "time") return <Time at={value as string | null} {...(none ? { none } : {})} />;
  if (value === null) return none === undefined ? null : <span className="muted">{none}</span>;
  const text = String(value);
  if (kind === "state") return <StatusBadge status={text} />;
  if (link) {
    const { to, id = of } = link;
    const words = of !== id ? text : isNamed(nounNamed(to)) ? undefined : shortId(text);
    return (
      <NounLink to={to} id={String(textIn(row, id))}>
        {words}
      </NounLink>
    );
  }
  return values?.[text] ?? (kind === "key" ? <code>{text}</code> : text);
}
