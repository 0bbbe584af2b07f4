// Turns a statement into one that does the same for each element of arrays. Its rows begin with the
// number of the element that they belong to, from 1.

import type { SqlValue } from "../../database.ts";
import { withParameters } from "./placeholders.ts";
import { toText } from "./values.ts";

/** The type of a parameter's values; "null" if there are no others. */
export type Kind = "text" | "bigint" | "null";

export type JoinableForm = "read" | "change";

/** Some statements depend on the caller's filters, so the number of texts has no natural limit. */
const mostTexts = 2048;
const forms = new Map<string, JoinableForm | null>();
const texts = new Map<string, string>();

/** Returns null for a statement that cannot be joined with others of the same text. */
export function joinableForm(sql: string): JoinableForm | null {
  const known = forms.get(sql);
  if (known !== undefined) return known;
  const form = findForm(sql);
  if (forms.size >= mostTexts) forms.clear();
  forms.set(sql, form);
  return form;
}

function findForm(sql: string): JoinableForm | null {
  if (/^\s*SELECT\b/.test(sql)) return "read";
  const isPlainUpdate = /^\s*UPDATE\b/.test(sql) && !/\b(?:SELECT|FROM)\b/.test(sql);
  return isPlainUpdate && byEqualValues.test(sql) ? "change" : null;
}

/**
 * With a constant in the condition, the planner might read all rows that have it, and look for each
 * among the parameters.
 */
const byEqualValues = /\bWHERE \w+ = \?(?:\s+AND \w+ = \?)*\s*$/;

/** Returns null for a value that has no array type here. */
export function kindOf(value: SqlValue): Kind | null {
  if (value === null) return "null";
  if (typeof value === "string") return "text";
  return Number.isSafeInteger(value) ? "bigint" : null;
}

/** `sql` must be joinable. The statement has a parameter for each kind except "null". */
export function joinedSql(sql: string, kinds: readonly Kind[]): string {
  const key = `${kinds.join()} ${sql}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const arrays = kinds.flatMap((kind) => (kind === "null" ? [] : [`?::${kind}[]`]));
  const names = kinds.flatMap((kind, at) => (kind === "null" ? [] : [`p${at}`]));
  const each = `unnest(${arrays.join(", ")}) WITH ORDINALITY AS each_work (${[...names, "n"].join(", ")})`;
  const inner = withParameters(sql, (at) => (kinds[at] === "null" ? "NULL" : `each_work.p${at}`));
  const text = joinableForm(sql) === "read" ? readOf(inner, each) : changeOf(inner, each);
  if (texts.size >= mostTexts) texts.clear();
  texts.set(key, text);
  return text;
}

/** OFFSET 0 keeps the planner from turning a look-up for each work into a scan for all of them. */
function readOf(inner: string, each: string): string {
  return `SELECT each_work.n, found.* FROM ${each}
    CROSS JOIN LATERAL (SELECT * FROM (${inner}\n) AS one OFFSET 0) AS found`;
}

function changeOf(inner: string, each: string): string {
  const [before, condition] = inner.split(/\bWHERE\b/);
  return `${before} FROM ${each} WHERE ${condition} RETURNING each_work.n`;
}

/** Returns the parameters of `joinedSql`: an array, as text, for each kind except "null". */
export function joinedParams(
  kinds: readonly Kind[],
  rows: readonly (readonly SqlValue[])[],
): string[] {
  return kinds.flatMap((kind, at) => {
    if (kind === "null") return [];
    const elements = rows.map((row) => elementOf(row[at] ?? null));
    return [`{${elements.join(",")}}`];
  });
}

function elementOf(value: SqlValue): string {
  const text = toText(value);
  if (text === null) return "NULL";
  return typeof value === "number" ? text : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
