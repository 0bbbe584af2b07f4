import { fits, valueIn } from "../../api/contract/cells.ts";
import type { Noun, NounColumn } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import {
  type Column,
  isForPeople,
  type ListView,
  type OutputOptions,
  printOne,
  type View,
} from "../output/output.ts";
import { printableLine } from "../output/printable.ts";
import type { Io } from "../terminal/io.ts";
import type { Row } from "./rows.ts";
import { wordsOf } from "./words.ts";

export function listViewOf<T extends { id: string } = Row>(noun: Noun): ListView<T> {
  return {
    columns: noun.columns.map(columnOf),
    nameOf: (row) => String(valueIn(row, noun.code ?? "id")),
    whenEmpty: noun.empty,
  };
}

/** Adds details that the list does not have. */
export function viewOf<T extends { id: string } = Row>(noun: Noun): View<T> {
  const { details = [] } = noun;
  const isReplaced = ({ name }: NounColumn) => details.some((detail) => detail.name === name);
  const columns = [...noun.columns.filter((column) => !isReplaced(column)), ...details];
  return { ...listViewOf(noun), columns: columns.map(columnOf) };
}

/** Prints one row in the noun's columns, and for people `more` below them. */
export function printRow<T extends { id: string }>(
  io: Io,
  options: OutputOptions,
  noun: NounName,
  row: T,
  more?: () => readonly string[],
): void {
  printOne(io, options, row, viewOf<T>(nouns[noun]), more);
}

/** For people only, because data formats contain the warnings. Older servers return none. */
export function noteWarnings(
  io: Io,
  options: OutputOptions,
  warnings: readonly string[] = [],
): void {
  if (!isForPeople(options)) return;
  for (const warning of warnings) io.note(`warning: ${printableLine(warning)}\n`);
}

function columnOf({ name, of, kind, wide, none, minor, ...column }: NounColumn): Column<object> {
  const shownIn = (row: object) => (fits(row, column.while) ? (valueIn(row, of) ?? none) : null);
  return {
    name,
    value: (row) => shownIn(row) as string | number | null | undefined,
    ...(minor ? { minor } : {}),
    ...(kind && kind !== "number" ? { kind } : {}),
    ...(wide && wide !== "page" ? { wide: true } : {}),
  };
}

/** Prints a response that is not a row, such as the response to a deletion. */
export function printAnswer(io: Io, options: OutputOptions, answer: object): void {
  printOne(io, options, answer, answerView(answer));
}

/** Shows all fields. */
export function answerView(answer: object): View<object> {
  const fields = Object.keys(answer);
  return {
    columns: fields.map((field) => columnOf({ name: wordsOf(field), of: field })),
    nameOf: (row) => String(valueIn(row, fields[0] ?? "")),
  };
}
