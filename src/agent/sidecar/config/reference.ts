// The reference of agent.yaml, made of its schema, the words for its fields and the sample: for
// `platform agent explain` and for the man page.

import { parse, stringify } from "yaml";
import { everyField, type Field, type Schema } from "./config-fields.ts";
import { type FieldWords, fieldWords } from "./field-words.ts";
import { exampleValues, wholeSample } from "./sample-config.ts";

export interface FieldReference {
  /** `services.health.interval` */
  field: string;
  /** For people: `whole number from 1 to 64`. */
  type: string;
  /** `required`, or a value, or words. */
  default: string;
  meaning: string;
}

/** Longer ones explain less. */
const maxExampleLines = 20;

let all: FieldReference[] | null = null;

/** Every field, what is inside of one behind it. */
export function reference(): FieldReference[] {
  all ??= everyField().map((field) => {
    const { meaning, byDefault } = wordsOf(field.path);
    return {
      field: plainPath(field.path),
      type: typeOf(field.schema),
      default: plain(defaultOf(field, byDefault)),
      meaning: plain(meaning),
    };
  });
  return all;
}

/** What is written for a field, such as `services[0].health`, as `reference` names it. */
export function plainPath(path: string): string {
  return path.replaceAll(/\[\d*\]|\.\d+(?=\.|$)/g, "");
}

/** YAML of the sample with this field, the most telling that is not long; null when it has none. */
export function exampleOf(field: string): string | null {
  const steps = field.split(".");
  const name = steps.at(-1) ?? "";
  const found = valuesAt(parse(wholeSample(exampleValues)), steps);
  const parts = found.flatMap((value) => (Array.isArray(value) ? value.map((one) => [one]) : []));
  const examples = [...found, ...parts].map((value) => stringify({ [name]: value }));
  const lines = (text: string) => text.split("\n").length - 1;
  const short = examples.filter((text) => lines(text) <= maxExampleLines);
  return short.toSorted((a, b) => lines(b) - lines(a))[0] ?? null;
}

function valuesAt(value: unknown, [step, ...rest]: readonly string[]): unknown[] {
  if (step === undefined) return [value];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, [step, ...rest]));
  const inner = Object(value)[step];
  return inner === undefined ? [] : valuesAt(inner, rest);
}

/** Where several places of the file have the same fields, one section explains them. */
const sections: Record<string, string> = {
  registrationToken: "secrets",
  prepare: "handler",
  execute: "handler",
};

/** Throws when nobody has written what the field means. */
export function wordsOf(path: string): FieldWords {
  const steps = plainPath(path).split(".");
  const name = steps.at(-1) ?? "";
  const above = steps.at(-2);
  const [section, field] =
    above === "file" ? ["configs", `file.${name}`] : [sections[above ?? ""] ?? above, name];
  const words = fieldWords[section ?? "The file"]?.[field];
  if (!words) throw new Error(`there are no words for ${path}`);
  return words;
}

/** In Markdown. */
export function defaultOf({ isRequired, schema }: Omit<Field, "path">, inWords = "none"): string {
  if (isRequired) return "required";
  const { default: value } = schema;
  if (value === undefined || value === "") return inWords;
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function typeOf(schema: Schema): string {
  const { type, enum: words, minimum, maximum, anyOf, items, properties, format } = schema;
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one as Schema)))].join(", or ");
  if (words) return `one of ${words.join(", ")}`;
  // Only times may be both.
  if (Array.isArray(type)) return "time, such as 10s or 1m30s";
  if (type === "integer") return `whole number from ${minimum} to ${maximum}`;
  if (type === "array") return items ? `list: ${typeOf(items as Schema)}` : "list";
  if (type === "object") return objectType(properties);
  if (type === "boolean") return "true or false";
  if (type === "string") return format === "uri" ? "URL" : "text";
  return "any value";
}

function objectType(properties: Schema["properties"]): string {
  const names = Object.keys(properties ?? {});
  return names.length === 0 ? "names with their values" : `fields ${names.join(", ")}`;
}

/** Without the links that only say where on the page more is. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/, \[\w+\]\(#\w+\)| \(\[\w+\]\(#\w+\)\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "");
}
