// The form that an action's `inputSchema` describes: which fields there are, of which kind, and what is
// said of them. Pure, and bounded: the schema comes from an agent and may be anything.

import type { Json, JsonObject } from "../../domain/json.ts";
import { looksSecret } from "../../domain/redaction.ts";
import { lineOf, valueLine } from "./lines.ts";
import { isObject, ownValue, type Reading, SchemaReader } from "./read-schema.ts";

export interface Choice {
  value: Json;
  /** As it is shown. */
  name: string;
}

interface Base {
  /** Its name in the object that it is a part of. */
  key: string;
  /** As it stands in the action's schema: what a value is checked against. */
  schema: Json;
  /** What the schema says, with references followed. */
  keywords: JsonObject;
  /** The object that it is a part of cannot be without it. */
  required: boolean;
  nullable: boolean;
  title: string;
  description: string;
}

export type Field = Base &
  (
    | { kind: "fixed"; value: Json }
    | { kind: "choice"; choices: Choice[] }
    | { kind: "choices"; choices: Choice[] }
    | { kind: "number"; whole: boolean }
    | { kind: "flag" | "text" | "secret" | "json" }
    | { kind: "list"; item: Field }
    | { kind: "group"; parts: Field[] }
  );

export type FieldOf<K extends Field["kind"]> = Extract<Field, { kind: K }>;

export interface Form {
  /** The action's whole schema. */
  schema: JsonObject;
  fields: Field[];
  /** The payload as one field, when the schema does not take it apart. */
  whole: Field | null;
  /** There are more fields than a form can have; the others are missing here. */
  tooMany: boolean;
}

const maxFields = 200;
/** Deeper objects, and lists in lists, are asked for as JSON. */
const maxDepth = 6;
/** Of more values no list is shown: one types. */
const maxChoices = 200;

export function readForm(schema: JsonObject): Form {
  const builder = new FormBuilder(schema);
  const reading = builder.reader.read(schema);
  const { keywords } = reading;
  const isPlain = !reading.mixed && (keywords.type ?? "object") === "object";
  const hasFields = isObject(keywords.properties);
  const fields = hasFields ? builder.partsOf(keywords, 1) : [];
  const base = baseOf("", schema, reading, true);
  const whole = hasFields || isPlain ? null : { ...base, kind: "json" as const };
  return { schema, fields, whole, tooMany: builder.tooMany };
}

class FormBuilder {
  readonly reader: SchemaReader;
  tooMany = false;
  #count = 0;

  constructor(root: JsonObject) {
    this.reader = new SchemaReader(root);
  }

  partsOf(keywords: JsonObject, depth: number): Field[] {
    const required = new Set(Array.isArray(keywords.required) ? keywords.required : []);
    const parts: Field[] = [];
    for (const [key, schema] of Object.entries(keywords.properties ?? {})) {
      // Nothing may be given for `false`, and a payload cannot carry `__proto__`.
      if (schema === false || key === "__proto__") continue;
      if (this.#count >= maxFields) {
        this.tooMany = true;
        break;
      }
      this.#count++;
      parts.push(this.field(key, schema, required.has(key), depth));
    }
    return parts;
  }

  field(key: string, schema: Json, required: boolean, depth: number): Field {
    const reading = this.reader.read(schema);
    const base = baseOf(key, schema, reading, required);
    const { keywords } = base;
    if (keywords.const !== undefined) return { ...base, kind: "fixed", value: keywords.const };
    const choices = choicesOf(base);
    if (choices) return { ...base, kind: "choice", choices };
    if (reading.mixed) return { ...base, kind: "json" };
    switch (keywords.type) {
      case "boolean":
        return { ...base, kind: "flag" };
      case "integer":
        return { ...base, kind: "number", whole: true };
      case "number":
        return { ...base, kind: "number", whole: false };
      case "string":
        return { ...base, kind: isSecret(key, keywords) ? "secret" : "text" };
      case "array":
        return this.#list(base, depth);
      case "object":
        return this.#group(base, depth);
      default:
        return { ...base, kind: "json" };
    }
  }

  #list(base: Base, depth: number): Field {
    const { items, prefixItems } = base.keywords;
    if (depth >= maxDepth || prefixItems !== undefined || !isObject(items)) {
      return { ...base, kind: "json" };
    }
    const item = this.field("", items, true, depth + 1);
    if (item.kind === "choice" && !item.nullable) {
      return { ...base, kind: "choices", choices: item.choices };
    }
    const isSimple = ["text", "secret", "number", "flag", "choice", "group"].includes(item.kind);
    return isSimple ? { ...base, kind: "list", item } : { ...base, kind: "json" };
  }

  #group(base: Base, depth: number): Field {
    if (depth >= maxDepth || !isObject(base.keywords.properties)) return { ...base, kind: "json" };
    return { ...base, kind: "group", parts: this.partsOf(base.keywords, depth + 1) };
  }
}

function baseOf(
  key: string,
  schema: Json,
  { keywords, nullable }: Reading,
  required: boolean,
): Base {
  const title = lineOf(keywords.title);
  const description = lineOf(keywords.description);
  return { key, schema, keywords, required, nullable, title, description };
}

/** Undefined when the value is not one of a few. */
function choicesOf({ keywords, nullable }: Base): Choice[] | undefined {
  const named = namedConstants(keywords.oneOf);
  const values = Array.isArray(keywords.enum) ? keywords.enum.map(unnamed) : named;
  if (!values || values.length > maxChoices) return undefined;
  const hasNull = values.some(({ value }) => value === null);
  return nullable && !hasNull ? [...values, unnamed(null)] : values;
}

function namedConstants(oneOf: Json | undefined): Choice[] | undefined {
  if (!Array.isArray(oneOf)) return undefined;
  return oneOf.map((one) => {
    const value = ownValue(one, "const") ?? null;
    const title = lineOf(ownValue(one, "title"));
    const { name } = unnamed(value);
    return { value, name: title && title !== name ? `${name}: ${title}` : name };
  });
}

function unnamed(value: Json): Choice {
  return { value, name: value === "" ? '""' : valueLine(value) };
}

function isSecret(key: string, { writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === "password" || looksSecret(key);
}
