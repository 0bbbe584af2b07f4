// Turns an agent's JSON Schema into a schema for a form. The agent is not trusted: only known
// keywords are copied, local references are inlined, and the size is limited.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { formLimits, schemaAt } from "../../../../domain/payload/schema-form.ts";
import { isMarkedSecret, isSecret } from "../../../../domain/secrecy.ts";

/** The form has a field for each value of the payload. */
const maxValues = 1_000;
const maxTextLength = 1_000;

type FormPlan =
  | { schema: JsonObject; refused?: undefined }
  | { schema?: undefined; refused: "tooLarge" | "noObject" };

/** Formats that have their own field or check. Other formats are entered as plain text. */
const formats = new Set(
  "date date-time time email uri hostname ipv4 ipv6 uuid password textarea".split(" "),
);
const types = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

type Check = (value: Json) => boolean;
const isText: Check = (value) => typeof value === "string";
const isFlag: Check = (value) => typeof value === "boolean";
const isNumber: Check = (value) => typeof value === "number";
const isSize: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const isAnything: Check = () => true;

/** The keywords to copy. A pattern is not checked, because matching it could take forever. */
const plain: Readonly<Record<string, Check>> = {
  format: (value) => typeof value === "string" && formats.has(value),
  default: isAnything,
  const: isAnything,
  enum: (value) => Array.isArray(value) && value.length > 0 && value.length <= formLimits.choices,
  minimum: isNumber,
  maximum: isNumber,
  exclusiveMinimum: isNumber,
  exclusiveMaximum: isNumber,
  multipleOf: (value) => typeof value === "number" && value > 0,
  minLength: isSize,
  maxLength: isSize,
  minItems: isSize,
  maxItems: isSize,
  minProperties: isSize,
  maxProperties: isSize,
  uniqueItems: isFlag,
  readOnly: isFlag,
  writeOnly: isFlag,
  required: (value) => Array.isArray(value) && value.every(isText),
};

type Within = (part: Json | undefined, depth?: number, isSecret?: boolean) => JsonObject;

class TooLarge extends Error {}

/** Returns the schema of a form that can hold this payload, or the reason why no form can. */
export function planForm(schema: JsonObject, payload: JsonObject = {}): FormPlan {
  try {
    countValues(payload, maxValues);
    const root = new Planner(schema).plan();
    return hasFields(root) ? { schema: root } : { refused: "noObject" };
  } catch (error) {
    if (error instanceof TooLarge) return { refused: "tooLarge" };
    throw error;
  }
}

function hasFields(root: JsonObject): boolean {
  if (isJsonObject(root.properties) && Object.keys(root.properties).length > 0) return true;
  return hasChoices(root);
}

class Planner {
  readonly #root: JsonObject;
  #parts = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  plan(): JsonObject {
    const root = this.#part(this.#root, 0, [this.#root]);
    return root.type === undefined || root.type === "object" ? { ...root, type: "object" } : {};
  }

  /** `way` contains the schemas that enclose this one, to detect recursion. */
  /** Every field inside a secret one is secret. */
  #part(
    schema: Json | undefined,
    depth: number,
    way: readonly JsonObject[],
    isInSecret = false,
  ): JsonObject {
    if (++this.#parts > formLimits.fields) throw new TooLarge();
    if (!isJsonObject(schema)) return {};
    const words = wordsOf(schema);
    if (depth > formLimits.depth) return words;
    if (typeof schema.$ref === "string") {
      const target = schemaAt(this.#root, schema.$ref);
      if (!isJsonObject(target) || way.includes(target)) return words;
      return { ...this.#part(target, depth, [...way, target], isInSecret), ...words };
    }
    const secret = isInSecret || isMarkedSecret(schema);
    const within: Within = (part, deeper = depth + 1, isSecret = secret) =>
      this.#part(part, deeper, isJsonObject(part) ? [...way, part] : way, isSecret);
    return {
      ...words,
      ...typeOf(schema),
      ...plainKeywords(schema),
      ...(secret ? { writeOnly: true } : {}),
      ...this.#properties(schema, within),
      ...(isJsonObject(schema.items) ? { items: within(schema.items) } : {}),
      ...this.#choices(schema, (part) => within(part, depth + 0.5)),
    };
  }

  #properties(schema: JsonObject, within: Within): JsonObject {
    const made: JsonObject = {};
    if (isJsonObject(schema.properties)) {
      made.properties = Object.fromEntries(
        Object.entries(schema.properties)
          .filter(([, part]) => part !== false)
          .map(([name, part]) => [name, withName(this.#named(name, part, within), name)]),
      );
    }
    const { additionalProperties } = schema;
    if (typeof additionalProperties === "boolean") made.additionalProperties = additionalProperties;
    else if (isJsonObject(additionalProperties)) {
      const part = within(additionalProperties);
      // A schema without a type allows values of every type, which no single field can enter.
      made.additionalProperties = part.type === undefined && !part.enum ? true : part;
    }
    return made;
  }

  /** The form needs only the mark of a secret, not its name. */
  #named(name: string, part: Json, within: Within): JsonObject {
    const target = isJsonObject(part) && typeof part.$ref === "string" ? part.$ref : null;
    const schema = target === null ? part : schemaAt(this.#root, target);
    return within(part, undefined, isSecret({ name, schema }) || undefined);
  }

  #choices(schema: JsonObject, within: (part: Json) => JsonObject): JsonObject {
    const made: JsonObject = {};
    for (const keyword of ["oneOf", "anyOf", "allOf"]) {
      const parts = schema[keyword];
      if (Array.isArray(parts) && parts.length > 0) made[keyword] = parts.map(within);
    }
    // Trying every combination of choices could take forever.
    if (Array.isArray(made.allOf) && made.allOf.some(hasChoices)) delete made.allOf;
    for (const keyword of ["if", "then", "else"]) {
      if (schema.if !== undefined && isJsonObject(schema[keyword])) {
        made[keyword] = within(schema[keyword]);
      }
    }
    return made;
  }
}

function hasChoices(part: Json): boolean {
  return isJsonObject(part) && ["oneOf", "anyOf", "allOf", "if"].some((word) => word in part);
}

/** A title makes the form show a part that can only be entered as JSON. */
function withName(part: JsonObject, name: string): JsonObject {
  return Object.keys(part).length === 0 ? { title: name } : part;
}

/** Returns how many more values are allowed. */
function countValues(value: Json | undefined, left: number): number {
  if (left < 0) throw new TooLarge();
  if (value === undefined || value === null || typeof value !== "object") return left - 1;
  return Object.values(value).reduce<number>((rest, part) => countValues(part, rest), left - 1);
}

/** Duplicates would appear as two choices with the same name. */
function distinctChoices(values: Json[], enumLabels: Json | undefined): JsonObject {
  const labels = Array.isArray(enumLabels) ? enumLabels : [];
  const choices = new Map<string, [value: Json, label: string]>();
  for (const [at, value] of values.entries()) {
    const text = JSON.stringify(value);
    const label = labels[at];
    const isLabel = typeof label === "string" && label.trim() !== "";
    const shown = isLabel ? label.slice(0, maxTextLength) : String(value);
    if (!choices.has(text)) choices.set(text, [value, shown]);
  }
  const distinct = [...choices.values()];
  const made = { enum: distinct.map(([value]) => value) };
  if (labels.length === 0) return made;
  return { ...made, enumLabels: distinct.map(([, label]) => label) };
}

function wordsOf({ title, description, placeholder }: JsonObject): JsonObject {
  const words: JsonObject = {};
  for (const [name, text] of Object.entries({ title, description, placeholder })) {
    if (typeof text === "string" && text !== "") words[name] = text.slice(0, maxTextLength);
  }
  return words;
}

function typeOf({ type }: JsonObject): JsonObject {
  const known = (Array.isArray(type) ? type : [type]).filter((each) => types.has(each as string));
  if (known.length === 0) return {};
  return { type: known.length === 1 ? (known[0] as string) : (known as Json[]) };
}

function plainKeywords(schema: JsonObject): JsonObject {
  const made: JsonObject = {};
  for (const [keyword, fits] of Object.entries(plain)) {
    const value = schema[keyword];
    if (value !== undefined && fits(value)) made[keyword] = value;
    if (keyword === "default") countValues(value, maxValues);
  }
  if (Array.isArray(made.enum)) Object.assign(made, distinctChoices(made.enum, schema.enumLabels));
  if (typeof schema.pattern === "string") made.mustMatch = schema.pattern.slice(0, maxTextLength);
  if (Array.isArray(schema.enum) && schema.enum.length > formLimits.choices) {
    made.manyChoices = schema.enum.length;
    if (schema.enum.every(isText)) made.type = "string";
  }
  return made;
}
