// Reads an action's schema as a form. Limits the work, because agents can send any schema.

import { cutText } from "../../lib/cut-text.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../payload/json.ts";
import { secretMarks } from "../secrets/hidden.ts";
import { isSecret } from "../secrets/secrecy.ts";
import { type Marks, unmarked } from "../secrets/secret-marks.ts";
import {
  type Base,
  type Choice,
  type Field,
  type Form,
  formLimits,
  isGroup,
  isPlainChoice,
  namesIn,
} from "./form.ts";
import { problemsOf } from "./problems.ts";
import { isConstant, type Reading, SchemaReader } from "./schema-reader.ts";

/**
 * Never throws. With a payload, the schema's conditions apply, and the payload's list items and
 * undeclared keys have fields, too.
 */
export function readForm(schema: JsonObject, payload?: JsonObject): Form {
  const builder = new FormBuilder(schema, payload);
  return { root: builder.root, tooMany: builder.tooMany };
}

/** A value and its schema. */
interface Place {
  key: string;
  schema: Json;
  required: boolean;
  value?: Json | undefined;
  /** The values that the store hides. */
  marks: Marks;
}

/** The context of a field. */
interface Around {
  depth: number;
  /** Every field inside a secret field is secret. */
  secret: boolean;
  readOnly: boolean;
  /** The schemas that enclose the field. Following a reference to one of them would never end. */
  way: readonly Json[];
  /** How many more fields there may be. */
  limit: { left: number };
}

class FormBuilder {
  readonly root: Field;
  readonly #reader: SchemaReader;
  readonly #fieldLimit = { left: formLimits.fields };
  readonly #valueLimit = { left: formLimits.values };

  constructor(schema: JsonObject, payload: JsonObject | undefined) {
    const isMet = (condition: JsonObject, value: Json) => {
      const place = { key: "", schema: condition, required: true, value, marks: unmarked };
      // Needs no limit here, because the reader limits the work for conditions.
      const around = { ...outermost, way: [condition], limit: { left: Infinity } };
      const field = this.#field(place, around);
      return problemsOf(field, value).length === 0;
    };
    this.#reader = new SchemaReader(schema, payload && isMet);
    const marks = secretMarks(schema);
    this.root = this.#root({ key: "", schema, required: true, value: payload, marks });
  }

  get tooMany(): boolean {
    return this.#reader.isExhausted || this.#fieldLimit.left < 0 || this.#valueLimit.left < 0;
  }

  #root(place: Place): Field {
    const reading = this.#reader.read(place.schema, place.value);
    const around = {
      ...outermost,
      way: [place.schema, ...reading.targets],
      limit: this.#fieldLimit,
    };
    const base = baseOf(place, reading, around);
    const options = this.#options(place, reading, around);
    const isObject = (reading.keywords.type ?? "object") === "object";
    if (!isObject || (reading.mixed && !options.some(isGroup))) return { ...base, kind: "json" };
    return this.#group(place, base, options, around);
  }

  #field(place: Place, around: Around): Field {
    const reading = this.#reader.read(place.schema, place.value);
    const base = baseOf(place, reading, around);
    const { keywords, secret, readOnly } = base;
    if (keywords.const !== undefined) return { ...base, kind: "fixed", value: keywords.const };
    const choices = choicesOf(base);
    if (choices) return { ...base, kind: "choice", choices };
    if (reading.targets.some((target) => around.way.includes(target))) {
      return { ...base, kind: "json" };
    }
    const way = [...around.way, place.schema, ...reading.targets];
    const within = { ...around, secret, readOnly, way };
    switch (keywords.type) {
      case "boolean":
        return { ...base, kind: "flag" };
      case "integer":
      case "number":
        return { ...base, kind: "number", whole: keywords.type === "integer" };
      case "string":
        return { ...base, kind: "text" };
      case "array":
        return this.#list(place, base, within);
    }
    const options = this.#options(place, reading, within);
    if (isFormOfObject(reading, options)) return this.#group(place, base, options, within);
    if (keywords.type === undefined && options.length > 0) {
      return { ...base, kind: "variants", options };
    }
    return { ...base, kind: hasManyTexts(keywords) ? "text" : "json" };
  }

  #options(place: Place, { alternatives }: Reading, around: Around): Field[] {
    const places = alternatives.map((schema) => ({ ...place, schema, required: true }));
    return this.#fields(places, around);
  }

  /** Stops at the limit on fields. */
  #fields(places: readonly Place[], around: Around): Field[] {
    const fields: Field[] = [];
    for (const place of places) {
      if (--around.limit.left < 0 || this.#reader.isExhausted) break;
      fields.push(this.#field(place, around));
    }
    return fields;
  }

  #list({ value, marks }: Place, base: Base, around: Around): Field {
    const { items: schema, prefixItems, uniqueItems } = base.keywords;
    if (around.depth >= formLimits.depth || prefixItems !== undefined || !isJsonObject(schema)) {
      return { ...base, kind: "json" };
    }
    const within = { ...around, depth: around.depth + 1 };
    const place = { key: "", schema, required: true, marks: marks.at("0", true) };
    const item = this.#field(place, within);
    if (uniqueItems === true && isPlainChoice(item)) {
      return { ...base, kind: "choices", choices: item.choices };
    }
    const places = (Array.isArray(value) ? value : []).map((each) => ({ ...place, value: each }));
    const items = this.#fields(places, { ...within, limit: this.#valueLimit });
    return { ...base, kind: "list", item, items };
  }

  #group({ value, marks }: Place, base: Base, options: Field[], around: Around): Field {
    if (around.depth >= formLimits.depth) return { ...base, kind: "json" };
    const { additionalProperties: rest, patternProperties } = base.keywords;
    const { secret, readOnly } = base;
    const within = { ...around, depth: around.depth + 1, secret, readOnly };
    const placeOf = (key: string, schema: Json, required: boolean): Place => {
      return { key, schema, required, value: ownValue(value, key), marks: marks.at(key, false) };
    };
    const required = new Set(Array.isArray(base.keywords.required) ? base.keywords.required : []);
    const places = partsOf(base).map(([key, part]) => placeOf(key, part, required.has(key)));
    const parts = this.#fields(places, within);
    const declared = new Set([...parts.map(({ key }) => key), ...namesIn(options)]);
    const isOpen = rest === true || isJsonObject(rest);
    const undeclared =
      isOpen && isJsonObject(value) ? Object.keys(value).filter((key) => !declared.has(key)) : [];
    const inPayload = { ...within, limit: this.#valueLimit };
    const other = isOpen ? this.#other({ ...placeOf("", rest, true), value: "" }, within) : null;
    return {
      ...base,
      kind: "group",
      parts,
      options: options.filter((option) => namesIn([option]).length > 0),
      others: undeclared.map((key) => this.#other(placeOf(key, rest ?? true, true), inPayload)),
      other: other?.kind === "json" ? null : other,
      closed: rest === false && patternProperties === undefined,
    };
  }

  /** If the schema accepts any type, the field has the type of the value. */
  #other(place: Place, around: Around): Field {
    around.limit.left--;
    const field = this.#field(place, around);
    if (field.kind !== "json" || field.keywords.type !== undefined) return field;
    return this.#field({ ...place, schema: { type: typeof place.value } }, around);
  }
}

const outermost = { depth: 0, secret: false, readOnly: false };

function baseOf({ key, schema, required, marks }: Place, reading: Reading, around: Around): Base {
  const { keywords, nullable } = reading;
  const title = lineOf(keywords.title);
  const description = lineOf(keywords.description);
  const isMarked = around.secret || marks.secret;
  const secret = isMarked || isSecret({ name: key, schema: keywords });
  const readOnly = around.readOnly || keywords.readOnly === true;
  return { key, schema, keywords, required, nullable, secret, readOnly, title, description };
}

function partsOf({ keywords: { properties } }: Base): [key: string, schema: Json][] {
  // `false` accepts no value, and a payload cannot contain `__proto__`.
  return Object.entries(isJsonObject(properties) ? properties : {}).filter(
    ([key, schema]) => schema !== false && key !== "__proto__",
  );
}

function isFormOfObject({ keywords, mixed }: Reading, options: readonly Field[]): boolean {
  const { type, properties, additionalProperties: rest } = keywords;
  if (options.length > 0 && options.every(isGroup)) return true;
  if (type !== "object" || (mixed && !options.some(isGroup))) return false;
  return isJsonObject(properties) || rest === true || isJsonObject(rest);
}

function choicesOf({ keywords, nullable }: Base): Choice[] | undefined {
  const values = labelled(keywords) ?? namedConstants(keywords);
  if (!values || values.length > formLimits.choices) return undefined;
  const distinct = new Map<string, Choice>();
  for (const choice of nullable ? [...values, { value: null, name: "" }] : values) {
    const text = JSON.stringify(choice.value);
    if (!distinct.has(text)) distinct.set(text, choice);
  }
  return [...distinct.values()];
}

function labelled({ enum: values, enumLabels }: JsonObject): Choice[] | undefined {
  if (!Array.isArray(values)) return undefined;
  const labels = Array.isArray(enumLabels) ? enumLabels : [];
  return values.map((value, at) => ({ value, name: lineOf(labels[at]) }));
}

function namedConstants({ oneOf }: JsonObject): Choice[] | undefined {
  if (!Array.isArray(oneOf) || !oneOf.every(isConstant)) return undefined;
  return oneOf.map((one) => ({
    value: ownValue(one, "const") ?? null,
    name: lineOf(ownValue(one, "title")),
  }));
}

/** Whether the choices, which are too many to show, are all texts. */
function hasManyTexts({ enum: values }: JsonObject): boolean {
  return Array.isArray(values) && values.every((value) => typeof value === "string");
}

function lineOf(text: Json | undefined): string {
  if (typeof text !== "string") return "";
  const start = text.slice(0, 2 * formLimits.characters).replace(/\s+/g, " ");
  return cutText(start.trim(), formLimits.characters);
}
