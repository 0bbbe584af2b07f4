// Checks the input of simple routes without the schemas, because loading these takes longer than most
// commands run. What it does not accept is left to the schemas, which also name the error.

import type { RouteSpec } from "./route.ts";

/** `text` counts UTF-16 units, as the schemas do. */
export type PlainField =
  | { kind: "text"; min: number; max: number }
  | { kind: "number"; min: number; max: number; default?: number }
  | { kind: "word" | "words"; words: readonly string[] };

export type PlainFields = Readonly<Record<string, PlainField>>;

/** A route without a body, as `npm run generate` writes it. */
export interface PlainRoute {
  spec: Pick<RouteSpec, "method" | "access" | "paginated" | "bus" | "metrics" | "raw" | "status">;
  params?: PlainFields;
  /** All of them are optional. Those that are not listed need the schemas. */
  query?: PlainFields;
}

export interface PlainInput {
  params: Record<string, unknown> | undefined;
  query: Record<string, unknown> | undefined;
}

/** Returns the input as the schemas would; null if only they can tell whether it is valid. */
export function plainInput(
  route: PlainRoute,
  given: { params: Record<string, unknown>; query: Record<string, unknown> },
): PlainInput | null {
  const params = plainValues(route.params, given.params, true);
  const query = plainValues(route.query, given.query, false);
  return params === null || query === null ? null : { params, query };
}

function plainValues(
  fields: PlainFields | undefined,
  given: Record<string, unknown>,
  required: boolean,
): Record<string, unknown> | null | undefined {
  if (!fields) return undefined;
  const isUnknown = (name: string) => given[name] !== undefined && !Object.hasOwn(fields, name);
  if (Object.keys(given).some(isUnknown)) return null;
  const values: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const byDefault = field.kind === "number" ? field.default : undefined;
    const value = given[name] === undefined ? byDefault : given[name];
    if (value === undefined && !required) continue;
    if (!isPlain(field, value)) return null;
    values[name] = field.kind === "words" ? [...new Set([value].flat())] : value;
  }
  return values;
}

function isPlain(field: PlainField, value: unknown): boolean {
  switch (field.kind) {
    case "text":
      return typeof value === "string" && value.length >= field.min && value.length <= field.max;
    case "number":
      return Number.isInteger(value) && isWithin(field, value as number);
    case "word":
      return field.words.includes(value as string);
    case "words": {
      const all = [value].flat();
      return all.length > 0 && all.every((one) => field.words.includes(one as string));
    }
  }
}

function isWithin({ min, max }: { min: number; max: number }, value: number): boolean {
  return value >= min && value <= max;
}
