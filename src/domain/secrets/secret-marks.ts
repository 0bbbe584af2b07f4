// Finds the secrets in a payload: by the marks of a schema, by names, and by their form. Browsers
// use this, too, so it does not limit the time. (docs/decisions/0011-secrets.md)

import { dereference } from "@cfworker/json-schema";
import { pointerStep } from "../../lib/json/json-pointer.ts";
import { isJsonObject, type Json, type JsonObject } from "../payload/json.ts";
import { redacted, redactText } from "./redaction.ts";
import { isMarkedSecret, isSecret } from "./secrecy.ts";

/**
 * Whether a position of a payload is marked as secret, and the same for the positions inside it.
 */
export interface Marks {
  secret: boolean;
  at(key: string, isItem: boolean): Marks;
}

/** Throws if the schemas cannot be read, or if that takes more than `maxSteps` steps. */
export function marksOf(schemas: readonly JsonObject[], maxSteps = Infinity): Marks {
  const marking = schemas.filter(mayMark);
  if (marking.length === 0) return unmarked;
  return eitherOf(marking.map((schema) => new MarkReader(schema, maxSteps).root));
}

export const unmarked: Marks = { secret: false, at: () => unmarked };
export const allMarked: Marks = { secret: true, at: () => allMarked };

/** Marks the values at these paths, and everything inside them. */
export function marksAt(paths: readonly (readonly string[])[]): Marks {
  if (paths.length === 0) return unmarked;
  if (paths.some(({ length }) => length === 0)) return allMarked;
  return {
    secret: false,
    at: (key) => marksAt(paths.flatMap(([first, ...rest]) => (first === key ? [rest] : []))),
  };
}

export function eitherOf(marks: readonly Marks[]): Marks {
  const [only] = marks;
  if (marks.length === 1 && only) return only;
  return {
    secret: marks.some(({ secret }) => secret),
    at: (key, isItem) => eitherOf(marks.map((each) => each.at(key, isItem))),
  };
}

/** Most schemas mark no secrets and need not be read. */
export function mayMark(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return text.includes('"writeOnly"') || text.includes('"password"');
}

/** A value that is null, empty or already redacted is not a secret. */
export function takeApart(payload: JsonObject, marks: Marks) {
  const withheld: string[] = [];
  const secrets: Json[] = [];
  const withhold = (pointer: string, secret: Json, shown: string) => {
    withheld.push(pointer);
    secrets.push(secret);
    return shown;
  };
  const visit = (value: Json, pointer: string, here: Marks, named: boolean): Json => {
    if (value === null || value === "" || value === redacted) return value;
    if (here.secret || named) return withhold(pointer, value, redacted);
    if (typeof value === "string") {
      const shown = redactText(value);
      return shown === value ? value : withhold(pointer, value, shown);
    }
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        visit(item, `${pointer}/${index}`, here.at(String(index), true), false),
      );
    }
    return typeof value === "object" ? visitObject(value, pointer, here) : value;
  };
  const visitObject = (object: JsonObject, pointer: string, here: Marks): JsonObject =>
    Object.fromEntries(
      Object.entries(object).map(([key, value]) => {
        // If the whole payload is secret, each of its fields is.
        const marked = pointer === "" && here.secret ? allMarked : here.at(key, false);
        return [
          key,
          visit(value, `${pointer}/${pointerStep(key)}`, marked, isSecret({ name: key, value })),
        ];
      }),
    );
  return { payload: visitObject(payload, "", marks), withheld, secrets };
}

/**
 * A position is secret if any schema that may apply to it says so, whether or not the value matches
 * that schema.
 */
class MarkReader {
  readonly root: Marks;
  readonly #lookup: ReturnType<typeof dereference>;
  /** All schemas with `$recursiveAnchor`, as one schema. */
  readonly #anchored: JsonObject;
  readonly #numbers = new Map<Json, number>();
  readonly #known = new Map<string, Marks>();

  #stepsLeft: number;

  constructor(schema: JsonObject, maxSteps: number) {
    this.#stepsLeft = maxSteps;
    this.#lookup = dereference(schema);
    const anchored = Object.values(this.#lookup as Record<string, Json>).filter(
      (each) => isJsonObject(each) && each.$recursiveAnchor === true,
    );
    this.#anchored = { anyOf: anchored };
    this.root = this.#read([schema]);
  }

  #read(parts: readonly (Json | undefined)[]): Marks {
    const schemas = this.#expand(parts);
    if (schemas.length === 0) return unmarked;
    const name = schemas.map((schema) => this.#numberOf(schema)).join();
    const known = this.#known.get(name);
    if (known) return known;
    const children = new Map<string, Marks>();
    const marks: Marks = {
      secret: schemas.some(isMarkedSecret),
      at: (key, isItem) => {
        const name = `${isItem}/${key}`;
        const child =
          children.get(name) ??
          this.#read(
            schemas.flatMap((schema) => (isItem ? itemOf(schema, key) : fieldOf(schema, key))),
          );
        children.set(name, child);
        return child;
      },
    };
    this.#known.set(name, marks);
    return marks;
  }

  /** Returns `parts` and all schemas in them that apply to the same position. */
  #expand(parts: readonly (Json | undefined)[]): JsonObject[] {
    const open = [...parts];
    const found = new Set<JsonObject>();
    while (open.length > 0) {
      const schema = open.pop();
      if (!isJsonObject(schema) || found.has(schema)) continue;
      if (--this.#stepsLeft < 0) throw new Error("the schema is too large");
      found.add(schema);
      for (const keyword of ["allOf", "anyOf", "oneOf"]) open.push(...listOf(schema[keyword]));
      for (const keyword of ["if", "then", "else"]) open.push(schema[keyword]);
      for (const keyword of ["dependentSchemas", "dependencies"]) {
        open.push(...valuesOf(schema[keyword]));
      }
      open.push(this.#target(schema));
      if (schema.$recursiveRef !== undefined) open.push(...this.#recursiveTargets(schema));
    }
    return [...found];
  }

  #target(schema: JsonObject & { __absolute_ref__?: string }): Json | undefined {
    const reference = schema.__absolute_ref__ ?? schema.$ref;
    return typeof reference === "string"
      ? (this.#lookup[reference] as Json | undefined)
      : undefined;
  }

  /**
   * `$recursiveRef` leads to its target, or to the outermost schema around it that has
   * `$recursiveAnchor`. Which one that is depends on the references on the way, so all of them
   * count.
   */
  #recursiveTargets(schema: JsonObject & { __absolute_recursive_ref__?: string }) {
    const target = this.#lookup[String(schema.__absolute_recursive_ref__)];
    return [target as Json | undefined, this.#anchored];
  }

  #numberOf(schema: JsonObject): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }
}

function fieldOf(schema: JsonObject, key: string): (Json | undefined)[] {
  const { properties } = schema;
  // Patterns are not evaluated: each one counts as matching.
  const matching = valuesOf(schema.patternProperties);
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) {
    return [properties[key], ...matching];
  }
  return [...matching, schema.additionalProperties, schema.unevaluatedProperties];
}

function itemOf(schema: JsonObject, key: string): (Json | undefined)[] {
  const { items, prefixItems, additionalItems, unevaluatedItems, contains } = schema;
  const own = [...listOf(prefixItems), ...listOf(items)][Number(key)];
  return [own, items, additionalItems, unevaluatedItems, contains];
}

function listOf(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function valuesOf(value: Json | undefined): Json[] {
  return isJsonObject(value) ? Object.values(value) : [];
}
