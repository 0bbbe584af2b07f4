// Finds what is wrong with a payload, field by field of its form. This runs in browsers, where a
// check that takes too long cannot be stopped, so only quick patterns are matched, and every field
// is checked once. The server checks the payload against the whole schema
// (domain/payload/check.ts).

import { validate } from "@cfworker/json-schema";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../payload/json.ts";
import { type Field, type FieldOf, limitOf, namesIn } from "./form.ts";
import type { Path } from "./places.ts";
import { isQuick } from "./quick-pattern.ts";

export interface Problem {
  /** The path from the payload to the value. List items are named by their index. */
  path: Path;
  /**
   * The keyword that the value violates. `additionalProperties` is for a key that is not allowed.
   */
  keyword: string;
  /** The keyword's value in the schema, or the key that is not allowed. */
  wanted: Json;
}

/** Returns the option that the user has chosen at a path, even if the value does not fit it. */
export type Chosen = (path: Path, options: readonly Field[]) => Field | undefined;

export function problemsOf(
  field: Field,
  value: Json | undefined,
  path: Path = [],
  chosen: Chosen = () => undefined,
): Problem[] {
  if (value === undefined) return field.required ? [missing(path)] : [];
  if (value === null && field.nullable) return [];
  return [...ownProblems(field, value, path), ...innerProblems(field, value, path, chosen)];
}

/**
 * Returns the index of the option that fits the value best. Returns -1 if there are no options, or
 * if an empty value leaves several options possible.
 */
export function optionFor(options: readonly Field[], value: Json | undefined): number {
  return bestOption(options, value, [], () => undefined).index;
}

function missing(path: Path): Problem {
  return { path, keyword: "required", wanted: true };
}

function innerProblems(field: Field, value: Json, path: Path, chosen: Chosen): Problem[] {
  const at = (key: string | number) => [...path, String(key)];
  if (field.kind === "variants") return bestOption(field.options, value, path, chosen).problems;
  if (field.kind === "group" && isJsonObject(value)) {
    return groupProblems(field, value, path, chosen);
  }
  if (!Array.isArray(value)) return [];
  if (field.kind === "list") {
    return value.flatMap((item, index) => {
      return entryProblems(field.items[index] ?? field.item, item, at(index), chosen);
    });
  }
  if (field.kind !== "choices") return [];
  const known = field.choices.map((choice) => choice.value);
  return value.flatMap((item, index) => check({ enum: known }, item, at(index)));
}

/** An item or key that exists but has no value yet is null. */
function entryProblems(
  field: Field,
  value: Json | undefined,
  path: Path,
  chosen: Chosen,
): Problem[] {
  return problemsOf(field, value === null && !field.nullable ? undefined : value, path, chosen);
}

function groupProblems(
  field: FieldOf<"group">,
  value: JsonObject,
  path: Path,
  chosen: Chosen,
): Problem[] {
  const { parts, others, options, keywords, closed } = field;
  const known = [...parts, ...others].map(({ key }) => key);
  const declared = new Set([...known, ...namesIn(options)]);
  const required = Array.isArray(keywords.required) ? keywords.required.map(String) : [];
  const absent = required.filter((key) => !declared.has(key) && !Object.hasOwn(value, key));
  const unknown = closed ? Object.keys(value).filter((key) => !declared.has(key)) : [];
  return [
    ...parts.flatMap((part) =>
      problemsOf(part, ownValue(value, part.key), [...path, part.key], chosen),
    ),
    ...others.flatMap((other) =>
      entryProblems(other, ownValue(value, other.key), [...path, other.key], chosen),
    ),
    ...bestOption(options, value, path, chosen).problems,
    ...absent.map((key) => missing([...path, key])),
    ...unknown.map((key) => ({ path, keyword: "additionalProperties", wanted: key })),
  ];
}

/**
 * An option whose constant or type differs from that of the value fits worse than any other option.
 */
function bestOption(
  options: readonly Field[],
  value: Json | undefined,
  path: Path,
  chosen: Chosen,
): { index: number; problems: Problem[] } {
  const one = chosen(path, options);
  if (one) return { index: options.indexOf(one), problems: problemsOf(one, value, path, chosen) };
  const isNothing = value === undefined || (isJsonObject(value) && Object.keys(value).length === 0);
  const ranked = options
    .map((option, index) => {
      const problems = problemsOf(option, value, path, chosen);
      const isOther = problems.some(({ keyword }) => keyword === "const" || keyword === "type");
      return { index, problems, rank: problems.length + (isOther ? 1_000 : 0) };
    })
    .sort((a, b) => a.rank - b.rank);
  const [best] = ranked;
  const isOpen = isNothing && options.length > 1 && best?.rank !== 0;
  if (best && !isOpen) return best;
  const none = { path, keyword: "oneOf", wanted: null };
  return { index: -1, problems: options.length === 0 ? [] : [none] };
}

const numeric = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"],
  ...["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"],
];
const formats = new Set("date date-time time email uri hostname ipv4 ipv6 uuid".split(" "));

function ownProblems(field: Field, value: Json, path: Path): Problem[] {
  if (field.kind === "fixed") return check({ const: field.value }, value, path);
  if (field.kind === "choice") {
    return check({ enum: field.choices.map((choice) => choice.value) }, value, path);
  }
  const { keywords } = field;
  const schema: JsonObject = {};
  const type = typeOf(field);
  if (typeof type === "string") schema.type = field.nullable ? [type, "null"] : type;
  if (Array.isArray(keywords.enum)) schema.enum = keywords.enum;
  for (const keyword of numeric) {
    const limit = limitOf(field, keyword);
    if (limit !== undefined) schema[keyword] = limit;
  }
  if (keywords.uniqueItems === true) schema.uniqueItems = true;
  if (typeof keywords.format === "string" && formats.has(keywords.format)) {
    schema.format = keywords.format;
  }
  const { pattern } = keywords;
  if (typeof pattern === "string" && typeof value === "string" && isQuick(pattern, value)) {
    schema.pattern = pattern;
  }
  return check(schema, value, path);
}

/** The keywords must apply to the value itself, not to values in it. */
function check(keywords: JsonObject, value: Json, path: Path): Problem[] {
  try {
    const { errors } = validate(value, keywords, "2020-12", {}, false);
    return errors.map(({ keyword }) => ({ path, keyword, wanted: keywords[keyword] ?? null }));
  } catch {
    // The keyword cannot be used; the server reports that.
    return [];
  }
}

function typeOf(field: Field): Json | undefined {
  switch (field.kind) {
    case "group":
      return "object";
    case "list":
    case "choices":
      return "array";
    case "number":
      return field.whole ? "integer" : "number";
    case "flag":
      return "boolean";
    case "text":
      return "string";
    case "json":
      return field.keywords.type;
    default:
      return undefined;
  }
}
