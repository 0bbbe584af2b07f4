// The order of a list: converts `--sort` to the API's query.

import type { Noun } from "../../api/contract/noun.ts";
import type { OptionSpec } from "../command.ts";
import { usageError } from "../exit.ts";

/** Returns the fields by the names of their columns on the command line: `last-seen`. */
function fieldsByColumn({ sorts, columns }: Noun): Map<string, string> {
  const named = columns.flatMap(({ name, of }): [string, string][] =>
    typeof of === "string" && sorts.includes(of) ? [[name.replaceAll(" ", "-"), of]] : [],
  );
  return new Map(named);
}

/**
 * Returns the column by which a list is sorted by default: the first one. Returns undefined if that
 * column cannot be sorted, for example because it has ids. Such a list begins with the newest.
 */
export function usualOrder(noun: Noun): string | undefined {
  const [first] = noun.columns;
  return first && fieldsByColumn(noun).has(first.name) ? first.name : undefined;
}

/** Returns no option for a list whose order is fixed. */
export function sortOptions(noun: Noun): OptionSpec[] {
  const names = [...fieldsByColumn(noun).keys()];
  if (names.length === 0) return [];
  const usual = usualOrder(noun);
  const byDefault =
    usual === undefined ? "; by default, the newest come first" : ` (default: ${usual})`;
  return [
    {
      flags: "--sort <column>",
      summary: `${names.join(", ")}: sort by this column, or with - before it in descending order${byDefault}`,
      completes: [...names, ...names.map((name) => `-${name}`)],
    },
  ];
}

/** Throws a usage error for an unknown column. */
export function sortOf(noun: Noun, wanted: unknown = usualOrder(noun)): { sort?: string } {
  if (typeof wanted !== "string") return {};
  const [sign, column] = signed(wanted);
  const fields = fieldsByColumn(noun);
  const field = fields.get(column);
  if (field !== undefined) return { sort: `${sign}${field}` };
  throw usageError(`--sort ${wanted}: choose one of ${[...fields.keys()].join(", ")}.`);
}

/** Accepts a column or, as in saved views, a field of the API. */
export function sortField(noun: Noun, wanted: string): string {
  const isField = noun.sorts.includes(signed(wanted)[1]);
  return isField ? wanted : (sortOf(noun, wanted).sort ?? wanted);
}

function signed(wanted: string): [sign: string, column: string] {
  return wanted.startsWith("-") ? ["-", wanted.slice(1)] : ["", wanted];
}
