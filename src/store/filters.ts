// Puts the WHERE clause of a list together from the filters that were given.

import { lowerCase } from "./columns.ts";
import type { SqlValue } from "./database.ts";

/** Conditions with their parameters, in order. Conditions are constants of this room. */
export class Filters {
  readonly params: SqlValue[] = [];
  readonly #conditions: string[] = [];

  /** Adds the condition when its value is there. */
  add(condition: string, value: SqlValue | undefined): this {
    if (value !== undefined) this.always(condition, value);
    return this;
  }

  /** Adds that `expression` is one of the values, when there are any. */
  oneOf(expression: string, values: readonly SqlValue[] | undefined, ...params: SqlValue[]): this {
    if (values === undefined) return this;
    // A single value keeps the order of an index.
    const marks = values.length === 1 ? "= ?" : `IN (${values.map(() => "?").join(", ")})`;
    return this.always(`${expression} ${marks}`, ...params, ...values);
  }

  /** Adds that one of the conditions, each with its parameters, holds. */
  anyOf(conditions: readonly [sql: string, ...params: SqlValue[]][] | undefined): this {
    if (conditions === undefined) return this;
    const any = conditions.map(([sql]) => sql).join(" OR ");
    const params = conditions.flatMap(([, ...params]) => params);
    return this.always(conditions.length === 1 ? any : `(${any})`, ...params);
  }

  always(condition: string, ...params: SqlValue[]): this {
    this.#conditions.push(condition);
    this.params.push(...params);
    return this;
  }

  /** Adds that one of the columns has `text` in it, literally; letter case does not matter in ASCII. */
  search(columns: string[], text: string | undefined): this {
    if (text === undefined) return this;
    // Not LIKE: its pattern ends at a NUL.
    const either = columns.map((column) => `INSTR(LOWER(${column}), ?) > 0`).join(" OR ");
    return this.always(`(${either})`, ...columns.map(() => lowerCase(text)));
  }

  get where(): string {
    return this.#conditions.length === 0 ? "" : `WHERE ${this.#conditions.join(" AND ")}`;
  }
}

/** Which part of a list is wanted. */
export interface Page {
  page: number;
  pageSize: number;
}

export interface Listed<T> {
  items: T[];
  /** How many there are over all pages. */
  total: number;
}

export function limitOf(page: Page): [limit: number, offset: number] {
  return [page.pageSize, (page.page - 1) * page.pageSize];
}
