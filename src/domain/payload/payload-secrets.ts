// Finds the secrets in a command's payload, so that they can be stored separately and deleted when
// the command ends. The schema is not trusted, so the search stops after a fixed time.
// (docs/decisions/0011-secrets.md)

import { dereference } from "@cfworker/json-schema";
import { pointerStep, writePointer } from "../../lib/json/json-pointer.ts";
import { withinTime } from "../../lib/within-time.ts";
import { isMarkedSecret, isSecret } from "../secrecy.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";
import { redacted, redactText } from "./redaction.ts";

/** Longer than almost any honest schema takes. */
const searchMs = 50;

export interface PayloadParts {
  /** The payload, with `[REDACTED]` in place of each secret. */
  payload: JsonObject;
  /** JSON Pointers to the secrets. */
  withheld: string[];
  /** The secrets, in the order of `withheld`. */
  secrets: Json[];
}

/** What any of the schemas marks as a secret is one. */
export function withholdSecrets(payload: JsonObject, ...schemas: JsonObject[]): PayloadParts {
  return withholder(schemas)(payload);
}

/**
 * Like `withholdSecrets`, for several payloads. A value that is null, empty or already redacted is not
 * a secret. If the schemas cannot be read in time or at all, every value is a secret.
 */
export function withholder(schemas: readonly JsonObject[]): (payload: JsonObject) => PayloadParts {
  const marking = schemas.filter(mayMark);
  let marks = marking.length === 0 ? unmarked : null;
  return (payload) => {
    if (marks === unmarked || marks === allMarked) return takeApart(payload, marks);
    const found = withinTime(searchMs, () => {
      marks ??= eitherOf(marking.map((schema) => new MarkReader(schema).root));
      return takeApart(payload, marks);
    });
    if (found.outcome === "done") return found.value;
    marks = allMarked;
    return takeApart(payload, marks);
  };
}

/** Reverses `withholdSecrets`. */
export function wholePayload({ payload, withheld, secrets }: PayloadParts): JsonObject {
  if (withheld.length === 0) return payload;
  const whole = structuredClone(payload);
  for (const [index, pointer] of withheld.entries()) {
    writePointer(whole, pointer, secrets[index] as Json);
  }
  return whole;
}

interface Marks {
  secret: boolean;
  at(key: string, isItem: boolean): Marks;
}

const unmarked: Marks = { secret: false, at: () => unmarked };
const allMarked: Marks = { secret: true, at: () => allMarked };

function eitherOf(marks: readonly Marks[]): Marks {
  const [only] = marks;
  if (marks.length === 1 && only) return only;
  return {
    secret: marks.some(({ secret }) => secret),
    at: (key, isItem) => eitherOf(marks.map((each) => each.at(key, isItem))),
  };
}

/** Most schemas mark no secrets and need not be read. */
function mayMark(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  return text.includes('"writeOnly"') || text.includes('"password"');
}

function takeApart(payload: JsonObject, marks: Marks): PayloadParts {
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

/** A position is secret if any schema that may apply to it says so, whether or not it matches. */
class MarkReader {
  readonly root: Marks;
  readonly #lookup: ReturnType<typeof dereference>;
  readonly #numbers = new Map<Json, number>();
  readonly #known = new Map<string, Marks>();

  constructor(schema: JsonObject) {
    this.#lookup = dereference(schema);
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

  /** Adds all schemas that `parts` apply to the same position. */
  #expand(parts: readonly (Json | undefined)[]): JsonObject[] {
    const open = [...parts];
    const found = new Set<JsonObject>();
    while (open.length > 0) {
      const schema = open.pop();
      if (!isJsonObject(schema) || found.has(schema)) continue;
      found.add(schema);
      for (const keyword of ["allOf", "anyOf", "oneOf"]) open.push(...listOf(schema[keyword]));
      for (const keyword of ["if", "then", "else"]) open.push(schema[keyword]);
      open.push(...valuesOf(schema.dependentSchemas));
      open.push(this.#target(schema));
    }
    return [...found];
  }

  #target(schema: JsonObject & { __absolute_ref__?: string }): Json | undefined {
    const reference = schema.__absolute_ref__ ?? schema.$ref;
    return typeof reference === "string"
      ? (this.#lookup[reference] as Json | undefined)
      : undefined;
  }

  #numberOf(schema: JsonObject): number {
    const number = this.#numbers.get(schema) ?? this.#numbers.size;
    this.#numbers.set(schema, number);
    return number;
  }
}

function fieldOf(schema: JsonObject, key: string): (Json | undefined)[] {
  const { properties } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, key)) return [properties[key]];
  // Patterns are not evaluated: each one counts as matching.
  return [
    ...valuesOf(schema.patternProperties),
    schema.additionalProperties,
    schema.unevaluatedProperties,
  ];
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
