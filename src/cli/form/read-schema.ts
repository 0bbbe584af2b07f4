// Reads one place of a JSON Schema: resolves references, merges `allOf` and separates alternatives.
// Limits the work, because agents can send any schema.

import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { schemaAt } from "../../domain/payload/schema-form.ts";

export interface Reading {
  keywords: JsonObject;
  nullable: boolean;
  /** Whether the place has alternatives that one form cannot show. */
  mixed: boolean;
}

/** The maximum number of places and merged properties. */
const maxSteps = 20_000;
const maxHops = 16;

export class SchemaReader {
  readonly root: JsonObject;
  #left = maxSteps;

  constructor(root: JsonObject) {
    this.root = root;
  }

  /** Never throws. Unreadable schemas are `mixed`. */
  read(schema: Json | undefined, hops = maxHops): Reading {
    const unknown = { keywords: {}, nullable: false, mixed: true };
    if (!isJsonObject(schema) || hops === 0 || --this.#left < 0) return unknown;
    const { $ref, allOf, ...own } = schema;
    const reading: Reading = { keywords: own, nullable: false, mixed: false };
    if (typeof $ref === "string") this.#add(reading, this.at($ref), hops);
    if (Array.isArray(allOf)) for (const part of allOf) this.#add(reading, part, hops);
    this.#takeAlternativesApart(reading, hops);
    takeTypesApart(reading);
    return reading;
  }

  #add(reading: Reading, schema: Json | undefined, hops: number): void {
    const more = this.read(schema, hops - 1);
    this.#left -= Object.keys(more.keywords.properties ?? {}).length;
    if (this.#left < 0) reading.mixed = true;
    else addTo(reading, more);
  }

  at(reference: string): Json | undefined {
    return schemaAt(this.root, reference);
  }

  #takeAlternativesApart(reading: Reading, hops: number): void {
    const { anyOf, oneOf, ...rest } = reading.keywords;
    const alternatives = anyOf ?? oneOf;
    if (!Array.isArray(alternatives)) return;
    // Alternatives for an object as a whole are checked when the form is complete.
    if (isJsonObject(rest.properties)) return;
    const real = alternatives.filter((one) => !isNull(one));
    reading.keywords = rest;
    reading.nullable ||= real.length < alternatives.length;
    if (anyOf !== undefined && oneOf !== undefined) reading.mixed = true;
    else if (real.length === 1) this.#add(reading, real[0], hops);
    else if (real.length > 0 && real.every(isConstant)) rest.oneOf = real;
    else reading.mixed = true;
  }
}

/** Existing keywords take precedence. */
function addTo(reading: Reading, more: Reading): void {
  const { keywords } = reading;
  const merged = { ...more.keywords, ...keywords };
  if (isJsonObject(more.keywords.properties) && isJsonObject(keywords.properties)) {
    merged.properties = { ...more.keywords.properties, ...keywords.properties };
  }
  if (Array.isArray(more.keywords.required) && Array.isArray(keywords.required)) {
    merged.required = [...keywords.required, ...more.keywords.required];
  }
  reading.keywords = merged;
  reading.nullable ||= more.nullable;
  reading.mixed ||= more.mixed;
}

/** Reduces a list of types to the single type besides null, and infers a missing type. */
function takeTypesApart(reading: Reading): void {
  const { keywords } = reading;
  if (keywords.type === undefined) {
    if (isJsonObject(keywords.properties)) reading.keywords = { ...keywords, type: "object" };
    else if (keywords.items !== undefined) reading.keywords = { ...keywords, type: "array" };
    return;
  }
  if (!Array.isArray(keywords.type)) return;
  const types = keywords.type.filter((type) => type !== "null");
  reading.nullable ||= types.length < keywords.type.length;
  const { type: _, ...rest } = keywords;
  const [type, ...others] = types;
  const isOne = type !== undefined && others.length === 0;
  reading.keywords = isOne ? { ...rest, type } : rest;
  reading.mixed ||= !isOne;
}

/** Ignores inherited properties such as `constructor`. */
export function ownValue(value: Json | undefined, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as JsonObject)[key];
}

function isNull(schema: Json): boolean {
  return isJsonObject(schema) && (schema.type === "null" || schema.const === null);
}

export function isConstant(schema: Json): boolean {
  return isJsonObject(schema) && schema.const !== undefined;
}
