import { placeholders } from "./blocks.ts";
import { lowerCase } from "./columns.ts";
import type { SqlValue } from "./database.ts";

/** A condition or another expression, with its parameters. */
export type SqlCondition = readonly [sql: string, ...params: SqlValue[]];

export interface Condition {
  sql: string;
  params: readonly SqlValue[];
  /** Whether an index returns the matching rows in the order of their key (`findKeys`). */
  isIndexed: boolean;
}

/** Builds a WHERE clause. Conditions must be constants in src/store, never user input. */
export class Filters {
  readonly all: Condition[] = [];

  /** Does nothing if `value` is undefined. */
  add(sql: string, value: SqlValue | undefined, isIndexed = true): this {
    if (value !== undefined) this.all.push({ sql, params: [value], isIndexed });
    return this;
  }

  oneOf(expression: string, values: readonly SqlValue[] | undefined, ...params: SqlValue[]): this {
    if (values === undefined) return this;
    // PostgreSQL rejects an empty list.
    if (values.length === 0) return this.always("1 = 0");
    // With several values, an index does not return the rows in the order of the key.
    const isIndexed = values.length === 1;
    const places = isIndexed ? "= ?" : `IN (${placeholders(values.length)})`;
    this.all.push({ sql: `${expression} ${places}`, params: [...params, ...values], isIndexed });
    return this;
  }

  /** Matches any of the conditions, each with its parameters. */
  anyOf(conditions: readonly SqlCondition[] | undefined): this {
    if (conditions === undefined) return this;
    if (conditions.length === 0) return this.always("1 = 0");
    const any = conditions.map(([sql]) => sql).join(" OR ");
    const params = conditions.flatMap(([, ...params]) => params);
    return this.always(conditions.length === 1 ? any : `(${any})`, ...params);
  }

  allOf(conditions: readonly SqlCondition[]): this {
    for (const [sql, ...params] of conditions) this.always(sql, ...params);
    return this;
  }

  always(sql: string, ...params: SqlValue[]): this {
    this.all.push({ sql, params, isIndexed: false });
    return this;
  }

  /** Matches rows with the literal text in a column, ignoring the case of ASCII letters. */
  search(columns: string[], text: string | undefined): this {
    if (text === undefined) return this;
    // LIKE is not used because its pattern ends at a NUL character.
    const either = columns.map((column) => `INSTR(LOWER(${column}), ?) > 0`).join(" OR ");
    return this.always(`(${either})`, ...columns.map(() => lowerCase(text)));
  }

  get where(): string {
    return whereOf(this.all);
  }

  get params(): SqlValue[] {
    return paramsOf(this.all);
  }
}

export function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? "" : `WHERE ${conditions.map(({ sql }) => sql).join(" AND ")}`;
}

/** Returns an expression that is 1 for rows that meet all conditions. */
export function fitsOf(conditions: readonly Condition[]): string {
  return conditions.map(({ sql }) => `(${sql})`).join(" AND ") || "1";
}

export function paramsOf(conditions: readonly Condition[]): SqlValue[] {
  return conditions.flatMap(({ params }) => params);
}

export interface Page {
  page: number;
  pageSize: number;
  /** By default, the newest rows come first. */
  sort?: { by: string; isDescending: boolean } | undefined;
}

/**
 * The fields by which a list can be sorted, with their SQL. A column that can be NULL is in an
 * array; rows without a value come last.
 */
export type Sorts = Readonly<
  Record<string, string | readonly [nullable: string] | { by: SqlCondition }>
>;

/** Returns the terms of ORDER BY, with their parameters. `id` is the name of the key column. */
export function orderOf({ sort }: Page, sorts: Sorts, id: string): SqlCondition {
  const sql = sort && Object.hasOwn(sorts, sort.by) ? sorts[sort.by] : undefined;
  if (sort === undefined || sql === undefined) return [`${id} DESC`];
  const direction = sort.isDescending ? "DESC" : "ASC";
  if (sql === id) return [`${id} ${direction}`];
  if (typeof sql === "string") return [`${sql} ${direction}, ${id} DESC`];
  if (!("by" in sql)) return [`${sql[0]} ${direction} NULLS LAST, ${id} DESC`];
  const [expression, ...params] = sql.by;
  return [`${expression} ${direction}, ${id} DESC`, ...params];
}

export interface Listed<T> {
  items: T[];
  /** The number of items on all pages. */
  total: number;
}

export function limitOf(page: Page): [limit: number, offset: number] {
  return [page.pageSize, (page.page - 1) * page.pageSize];
}
