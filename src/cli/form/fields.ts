// Converts an `inputSchema` to a form. Limits the work, because agents can send any schema.

import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { formLimits } from "../../domain/payload/schema-form.ts";
import { isSecret } from "../../domain/secrecy.ts";
import { lineOf, valueLine } from "./lines.ts";
import { isConstant, ownValue, type Reading, SchemaReader } from "./read-schema.ts";
import { secretFinder } from "./secrecy.ts";

export interface Choice {
  value: Json;
  /** The displayed text. */
  name: string;
}

interface Base {
  key: string;
  /** The original schema, against which values are checked. */
  schema: Json;
  /** The schema's keywords, with references resolved. */
  keywords: JsonObject;
  required: boolean;
  nullable: boolean;
  /** Whether the value, including nested values, is hidden. */
  secret: boolean;
  title: string;
  description: string;
}

export type Field = Base &
  (
    | { kind: "fixed"; value: Json }
    | { kind: "choice"; choices: Choice[] }
    | { kind: "choices"; choices: Choice[] }
    | { kind: "number"; whole: boolean }
    | { kind: "flag" | "text" | "json" }
    /** `open` is the same field as if it were not secret. */
    | { kind: "secret"; open: Field }
    | { kind: "list"; item: Field }
    /** `restIsSecret` hides values that belong to no part. */
    | { kind: "group"; parts: Field[]; restIsSecret: boolean }
  );

export type FieldOf<K extends Field["kind"]> = Extract<Field, { kind: K }>;

export interface Form {
  schema: JsonObject;
  fields: Field[];
  /** The payload as a single field, if the schema cannot be split into fields. */
  whole: Field | null;
  /** The schema has more fields than a form can have. */
  tooMany: boolean;
  restIsSecret: boolean;
}

export function readForm(schema: JsonObject): Form {
  const builder = new FormBuilder(schema);
  const reading = builder.reader.read(schema);
  const { keywords } = reading;
  const isPlain = !reading.mixed && (keywords.type ?? "object") === "object";
  const hasFields = isJsonObject(keywords.properties);
  const base = baseOf("", schema, reading, true);
  const fields = hasFields ? builder.partsOf(base, 1) : [];
  const whole = hasFields || isPlain ? null : builder.asJson(base);
  const restIsSecret = builder.isRestSecret(base) || whole?.secret === true;
  return { schema, fields, whole, tooMany: builder.tooMany, restIsSecret };
}

class FormBuilder {
  readonly reader: SchemaReader;
  readonly #hasSecret: ReturnType<typeof secretFinder>;
  tooMany = false;
  #count = 0;

  constructor(root: JsonObject) {
    this.reader = new SchemaReader(root);
    this.#hasSecret = secretFinder(this.reader);
  }

  partsOf({ keywords, secret }: Base, depth: number): Field[] {
    const required = new Set(Array.isArray(keywords.required) ? keywords.required : []);
    const parts: Field[] = [];
    for (const [key, schema] of Object.entries(keywords.properties ?? {})) {
      // `false` accepts no value, and a payload cannot contain `__proto__`.
      if (schema === false || key === "__proto__") continue;
      if (this.#count >= formLimits.fields) {
        this.tooMany = true;
        break;
      }
      this.#count++;
      parts.push(this.field(key, schema, required.has(key), depth, secret));
    }
    return parts;
  }

  /** `within` is true inside a secret field, where every field is secret. */
  field(key: string, schema: Json, required: boolean, depth: number, within: boolean): Field {
    const reading = this.reader.read(schema);
    const base = baseOf(key, schema, reading, required, within);
    const field = this.#open(base, reading, depth);
    return field.secret ? unseen(field) : field;
  }

  /** JSON input cannot hide a part, so a secret in one part hides the whole value. */
  asJson(base: Base): Field {
    const secret = base.secret || this.#hasSecret(base.schema);
    const field: Field = { ...base, secret, kind: "json" };
    return secret ? unseen(field) : field;
  }

  /** Returns whether additional properties are secret, or could be. */
  isRestSecret({ keywords, secret }: Base): boolean {
    const { additionalProperties, patternProperties } = keywords;
    const rest = [additionalProperties, patternProperties];
    return secret || this.tooMany || rest.some((schema) => this.#hasSecret(schema));
  }

  #open(base: Base, reading: Reading, depth: number): Field {
    const { keywords } = base;
    if (keywords.const !== undefined) return { ...base, kind: "fixed", value: keywords.const };
    const choices = choicesOf(base);
    if (choices) return { ...base, kind: "choice", choices };
    if (reading.mixed) return this.asJson(base);
    switch (keywords.type) {
      case "boolean":
        return { ...base, kind: "flag" };
      case "integer":
      case "number":
        return { ...base, kind: "number", whole: keywords.type === "integer" };
      case "string":
        return { ...base, kind: "text" };
      case "array":
        return this.#list(base, depth);
      case "object":
        return this.#group(base, depth);
      default:
        return this.asJson(base);
    }
  }

  #list(base: Base, depth: number): Field {
    const { items, prefixItems } = base.keywords;
    if (depth >= formLimits.depth || prefixItems !== undefined || !isJsonObject(items)) {
      return this.asJson(base);
    }
    const item = this.field("", items, true, depth + 1, base.secret);
    if (item.kind === "choice" && !item.nullable) {
      return { ...base, kind: "choices", choices: item.choices };
    }
    const isSimple = ["text", "secret", "number", "flag", "choice", "group"].includes(item.kind);
    return isSimple ? { ...base, kind: "list", item } : this.asJson(base);
  }

  #group(base: Base, depth: number): Field {
    if (depth >= formLimits.depth || !isJsonObject(base.keywords.properties))
      return this.asJson(base);
    const parts = this.partsOf(base, depth + 1);
    return { ...base, kind: "group", parts, restIsSecret: this.isRestSecret(base) };
  }
}

function baseOf(
  key: string,
  schema: Json,
  { keywords, nullable }: Reading,
  required: boolean,
  within = false,
): Base {
  const title = lineOf(keywords.title);
  const description = lineOf(keywords.description);
  const secret = within || isSecret({ name: key, schema: keywords });
  return { key, schema, keywords, required, nullable, secret, title, description };
}

/** Turns a secret field whose value would be visible during input into a hidden one. */
function unseen(field: Field): Field {
  const isSeen = ["text", "number", "json", "choice"].includes(field.kind);
  return isSeen ? { ...field, kind: "secret", open: field } : field;
}

function choicesOf({ keywords, nullable }: Base): Choice[] | undefined {
  // Alternatives for an object as a whole are not choices, because the form asks for its fields.
  const named = isJsonObject(keywords.properties) ? undefined : namedConstants(keywords.oneOf);
  const values = labelled(keywords) ?? named;
  if (!values || values.length > formLimits.choices) return undefined;
  const hasNull = values.some(({ value }) => value === null);
  return nullable && !hasNull ? [...values, choiceOf(null)] : values;
}

function labelled({ enum: values, enumLabels }: JsonObject): Choice[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const labels = Array.isArray(enumLabels) ? enumLabels : [];
  return values.map((value, at) => choiceOf(value, labels[at]));
}

function namedConstants(oneOf: Json | undefined): Choice[] | undefined {
  if (!Array.isArray(oneOf) || !oneOf.every(isConstant)) return undefined;
  return oneOf.map((one) => choiceOf(ownValue(one, "const") ?? null, ownValue(one, "title")));
}

function choiceOf(value: Json, label?: Json): Choice {
  const name = value === "" ? '""' : valueLine(value);
  const title = lineOf(label);
  return { value, name: title && title !== name ? `${name}: ${title}` : name };
}
