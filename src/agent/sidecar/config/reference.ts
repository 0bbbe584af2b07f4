// The reference of agent.yaml, for `platform agent explain` and the man page.

import { parse, stringify } from "yaml";
import { everyField, type Field, type Schema } from "./config-fields.ts";
import { fieldWords } from "./field-words.ts";
import { exampleValues, wholeSample } from "./sample-config.ts";

export interface FieldReference {
  /** The field's path: `services.health.interval`. */
  field: string;
  /** The type in words: `whole number from 1 to 64`. */
  type: string;
  /** The default: `required`, a value, or a description. */
  default: string;
  meaning: string;
}

const maxExampleLines = 20;

let all: FieldReference[] | null = null;

/** Returns every field, each followed by the fields inside it. */
export function reference(): FieldReference[] {
  all ??= everyField().map((field) => {
    const [meaning, byDefault] = wordsOf(field.path);
    return {
      field: plainPath(field.path),
      type: typeOf(field.schema),
      default: plain(defaultOf(field, byDefault)),
      meaning: plain(meaning),
    };
  });
  return all;
}

/** Converts a path such as `services[0].health` to the form in `reference`. */
export function plainPath(path: string): string {
  return path.replaceAll(/\[\d*\]|\.\d+(?=\.|$)/g, "");
}

/** Returns the field's longest example of at most `maxExampleLines`; null if there is none. */
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

/** The section of `fieldWords` that describes the fields inside each of these fields. */
const sections: Record<string, string> = {
  registrationToken: "secrets",
  prepare: "handler",
  execute: "handler",
};

/** Throws if the field has no description. */
export function wordsOf(path: string): readonly [meaning: string, byDefault?: string] {
  const steps = plainPath(path).split(".");
  const name = steps.at(-1) ?? "";
  const above = steps.at(-2);
  const [section, field] =
    above === "file" ? ["configs", `file.${name}`] : [sections[above ?? ""] ?? above, name];
  const words = fieldWords[section ?? "The file"]?.[field];
  if (!words) throw new Error(`no description of ${path}`);
  return typeof words === "string" ? [words] : words;
}

export function defaultOf(field: Omit<Field, "path">, inWords = "none"): string {
  const { isRequired, instead, schema } = field;
  if (isRequired && instead.length > 0) return `required without \`${instead.join("` or `")}\``;
  if (isRequired) return "required";
  const { default: value } = schema;
  if (value === undefined || value === "") return inWords;
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

function typeOf(schema: Schema): string {
  const { type, enum: words, minimum, maximum, anyOf, items, properties, format } = schema;
  if (anyOf) return [...new Set(anyOf.map((one) => typeOf(one as Schema)))].join(", or ");
  if (words) return `one of ${words.join(", ")}`;
  // Only times can be both a number and text.
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
  return names.length === 0 ? "mapping of names to values" : `fields ${names.join(", ")}`;
}

/** Removes the formatting, and the links that only refer to another section. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/, \[\w+\]\(#\w+\)| \(\[\w+\]\(#\w+\)\)/g, "")
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "");
}
