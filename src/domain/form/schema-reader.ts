// Reads one place in a schema as plain keywords: follows references, merges `allOf`, applies
// conditions and separates alternatives. Limits the work, because agents can send any schema.

import { lookUp, parsePointerFragment } from "../../lib/json/json-pointer.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../payload/json.ts";
import type { Path } from "./places.ts";

export interface Reading {
  keywords: JsonObject;
  nullable: boolean;
  /** Whether the keywords alone do not describe the place completely. */
  mixed: boolean;
  /** One of these schemas applies in addition to the keywords. */
  alternatives: Json[];
  /** The targets of the references that were followed. */
  targets: Json[];
}

/** Whether a value matches the `if` of a schema. */
type Condition = (schema: JsonObject, value: Json) => boolean;

/** The maximum number of places and merged properties. */
const maxSteps = 20_000;
const maxHops = 16;

export class SchemaReader {
  readonly root: JsonObject;
  readonly #isMet: Condition | undefined;
  #left = maxSteps;
  /** Conditions in conditions are ignored, because they could refer to each other. */
  #isDeciding = false;

  /** Without `isMet`, conditions are ignored. */
  constructor(root: JsonObject, isMet?: Condition) {
    this.root = root;
    this.#isMet = isMet;
  }

  /** Whether the schema was too large to read completely. */
  get isExhausted(): boolean {
    return this.#left < 0;
  }

  /** Never throws. Unreadable schemas are `mixed`. Conditions apply to `value`. */
  read(schema: Json | undefined, value?: Json, hops = maxHops): Reading {
    const nothing = { nullable: false, alternatives: [], targets: [] };
    if (!isJsonObject(schema) || hops === 0 || --this.#left < 0) {
      return { ...nothing, keywords: {}, mixed: true };
    }
    const { $ref, allOf, ...own } = schema;
    const reading: Reading = { ...nothing, keywords: own, mixed: false, targets: [] };
    const add = (part: Json | undefined) => this.#add(reading, part, value, hops);
    if (typeof $ref === "string") {
      const target = this.at($ref);
      if (target !== undefined) reading.targets.push(target);
      add(target);
    }
    if (Array.isArray(allOf)) for (const part of allOf) add(part);
    const conditional = this.#conditionalPart(schema, value);
    if (conditional !== undefined) this.#add(reading, conditional, value, hops, true);
    separateAlternatives(reading, add);
    separateTypes(reading);
    return reading;
  }

  /** Reads the place that describes the value at `path` in the payload. */
  readAt(path: Path): Reading {
    let at: Json | undefined = this.root;
    for (const key of path) {
      const { keywords } = this.read(at);
      at = keywords.type === "array" ? keywords.items : ownValue(keywords.properties, key);
    }
    return this.read(at);
  }

  /** Returns undefined if the target is not in the schema. */
  at(reference: string): Json | undefined {
    const found = lookUp(this.root, parsePointerFragment(reference));
    return found.found ? (found.value as Json) : undefined;
  }

  #add(
    reading: Reading,
    schema: Json | undefined,
    value: Json | undefined,
    hops: number,
    isCondition = false,
  ): void {
    const more = this.read(schema, value, hops - 1);
    this.#left -= Object.keys(more.keywords.properties ?? {}).length;
    if (this.#left < 0) reading.mixed = true;
    else addTo(reading, more, isCondition);
  }

  #conditionalPart(schema: JsonObject, value: Json | undefined): Json | undefined {
    if (!this.#isMet || this.#isDeciding) return undefined;
    if (value === undefined || !isJsonObject(schema.if)) return undefined;
    this.#isDeciding = true;
    const part = this.#isMet(schema.if, value) ? schema.then : schema.else;
    this.#isDeciding = false;
    return isJsonObject(part) ? part : undefined;
  }
}

function separateAlternatives(reading: Reading, add: (part: Json | undefined) => void): void {
  const { anyOf, oneOf, ...rest } = reading.keywords;
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return;
  reading.keywords = rest;
  // Here, the alternatives apply to an object whose fields are known.
  if (isJsonObject(rest.properties)) {
    takeAlternatives(reading, alternatives);
    return;
  }
  const real = alternatives.filter((one) => !isNull(one));
  reading.nullable ||= real.length < alternatives.length;
  if (anyOf !== undefined && oneOf !== undefined) reading.mixed = true;
  else if (real.length === 1) add(real[0]);
  else if (real.length > 0 && real.every(isConstant)) rest.oneOf = real;
  else {
    reading.mixed = true;
    takeAlternatives(reading, real);
  }
}

/**
 * Drops the alternatives if there are several groups of them, because there would be too many
 * combinations.
 */
function takeAlternatives(reading: Reading, more: readonly Json[]): void {
  const isSecond = reading.alternatives.length > 0 && more.length > 0;
  reading.mixed ||= isSecond;
  reading.alternatives = isSecond ? [] : [...reading.alternatives, ...more];
}

/**
 * Existing keywords take precedence. The fields of an added part come first, but those of a
 * condition come last.
 */
function addTo(reading: Reading, more: Reading, isCondition: boolean): void {
  const { keywords } = reading;
  const merged = { ...more.keywords, ...keywords };
  const [own, added] = [keywords.properties, more.keywords.properties];
  if (isJsonObject(own) && isJsonObject(added)) {
    merged.properties = isCondition ? joined(own, added) : joined(added, own);
  }
  if (Array.isArray(more.keywords.required) && Array.isArray(keywords.required)) {
    merged.required = [...keywords.required, ...more.keywords.required];
  }
  reading.keywords = merged;
  reading.nullable ||= more.nullable;
  reading.mixed ||= more.mixed;
  reading.targets.push(...more.targets);
  takeAlternatives(reading, more.alternatives);
}

/** The later schema of a property takes precedence, and adds to the earlier one. */
function joined(earlier: JsonObject, later: JsonObject): JsonObject {
  const made = new Map(Object.entries(earlier));
  for (const [key, schema] of Object.entries(later)) {
    const before = made.get(key);
    const isAlone = before === undefined || schema === false;
    if (before !== false) made.set(key, isAlone ? schema : { allOf: [schema, before] });
  }
  return Object.fromEntries(made);
}

/**
 * Replaces a list of types by its only type other than null, or by alternatives. Infers a missing
 * type.
 */
function separateTypes(reading: Reading): void {
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
  if (isOne) return;
  reading.mixed = true;
  takeAlternatives(
    reading,
    types.map((each) => ({ ...rest, type: each })),
  );
}

function isNull(schema: Json): boolean {
  return isJsonObject(schema) && (schema.type === "null" || schema.const === null);
}

export function isConstant(schema: Json): boolean {
  return isJsonObject(schema) && schema.const !== undefined;
}
