// Checks the input of simple routes against the facts of the routes, because loading the schemas
// takes longer than most commands run. If the facts do not accept an input, the schemas decide and
// describe the error.

import type { FieldFacts, Fields, RouteFacts } from "../../domain/route-facts.ts";

type Given = Record<string, unknown>;

export interface PlainInput {
  params: Given | undefined;
  query: Given | undefined;
}

/** Returns the input as the schemas would; null if only they can tell whether it is valid. */
export function plainInput(
  { simple, params: ofPath, query: ofQuery }: RouteFacts,
  given: { params: Given; query: Given },
): PlainInput | null {
  if (!simple) return null;
  const params = ofPath && plainValues(ofPath, given.params, true);
  const query = ofQuery && plainValues(ofQuery, given.query, false);
  return params === null || query === null ? null : { params, query };
}

function plainValues(fields: Fields, given: Given, required: boolean): Given | null {
  const isUnknown = (name: string) => given[name] !== undefined && !Object.hasOwn(fields, name);
  if (Object.keys(given).some(isUnknown)) return null;
  const values: Given = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = given[name] === undefined ? field.default : given[name];
    if (value === undefined && !required) continue;
    if (!isPlain(field, value)) return null;
    values[name] = parsed(field, value);
  }
  return values;
}

function parsed({ kind }: FieldFacts, value: unknown): unknown {
  if (kind === "several") return [...new Set([value].flat())];
  return kind === "sort" ? orderOf(value as string) : value;
}

/** Splits `-name` into the field and the direction. */
export function orderOf<F extends string>(word: F | `-${F}`): { by: F; isDescending: boolean } {
  const isDescending = word.startsWith("-");
  return { by: (isDescending ? word.slice(1) : word) as F, isDescending };
}

function isPlain({ complete, kind, choices = [], min = 0, max = 0 }: FieldFacts, value: unknown) {
  if (!complete) return false;
  const isWithin = (size: number) => size >= min && size <= max;
  switch (kind) {
    case "text":
      return typeof value === "string" && isWithin(value.length);
    case "number":
      return Number.isInteger(value) && isWithin(value as number);
    default: {
      const all = kind === "several" ? [value].flat() : [value];
      return all.length > 0 && all.every((one) => choices.includes(one as string));
    }
  }
}
