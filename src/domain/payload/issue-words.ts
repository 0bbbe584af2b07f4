// Messages for the findings of the JSON Schema validator. They follow the path of a field:
// `version: must be text`. They quote the schema, never the payload, which may contain secrets.

import type { OutputUnit } from "@cfworker/json-schema";
import { counted } from "../../lib/counted.ts";
import { lookUp, parsePointerFragment } from "../../lib/json/json-pointer.ts";
import type { Issue } from "../errors.ts";
import { isJsonObject, type Json } from "./json.ts";
import { fieldsTogether, instancePath, missingField } from "./validation-units.ts";

/** The console shows these two in the user's language. */
export const isRequired = "is required";
export const mustMatchPattern = "must match the pattern";

const types: Record<string, string> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

const formats: Record<string, string> = {
  "date-time": "a time such as 2026-01-31T12:00:00Z",
  date: "a date such as 2026-01-31",
  uri: "a URL",
  email: "an email address",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  uuid: "a UUID",
  regex: "a regular expression",
};

/** Keywords whose value is a number. */
const limits: Record<string, (limit: number) => string> = {
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
  exclusiveMinimum: (limit) => `must be more than ${limit}`,
  exclusiveMaximum: (limit) => `must be less than ${limit}`,
  multipleOf: (step) => `must be a multiple of ${step}`,
  minLength: (limit) => atLeast(limit, "character"),
  maxLength: (limit) => `must have at most ${counted(limit, "character")}`,
  minItems: (limit) => atLeast(limit, "item"),
  maxItems: (limit) => `must have at most ${counted(limit, "item")}`,
  minProperties: (limit) => `must have at least ${counted(limit, "field")}`,
  maxProperties: (limit) => `must have at most ${counted(limit, "field")}`,
  minContains: (limit) => `must have at least ${counted(limit, "item")} of the required kind`,
  maxContains: (limit) => `must have at most ${counted(limit, "item")} of the limited kind`,
};

/** A missing field's issue has the path of that field. `lookup` is from the validator. */
export function issueOf(unit: OutputUnit, schema: Json, lookup: Record<string, unknown>): Issue {
  const missing = missingField(unit);
  const path = missing === null ? instancePath(unit) : [...instancePath(unit), missing];
  const together = fieldsTogether(unit);
  const words = together
    ? `needs ${together.needed}, because ${together.given} is given`
    : wordsOf(unit.keyword, valueAt(schema, unit.keywordLocation, lookup));
  const isAboutName = /(?<!roperties)\/propertyNames\/[^/]+$/.test(unit.keywordLocation);
  return { path: path.join("."), message: isAboutName ? `has a name that ${words}` : words };
}

/** `value` is the keyword's value in the schema, or undefined if that is unknown. */
function wordsOf(keyword: string, value: Json | undefined): string {
  const limit = Object.hasOwn(limits, keyword) ? limits[keyword] : undefined;
  if (limit && typeof value === "number") return limit(value);
  switch (keyword) {
    case "required":
      return isRequired;
    case "type":
      return value === undefined ? "has the wrong type" : `must be ${typesOf(value)}`;
    case "enum":
      return choiceOf(Array.isArray(value) ? value : []);
    case "const":
      return value === undefined ? "has a value that is not allowed" : `must be ${textOf(value)}`;
    case "pattern":
      return typeof value === "string" ? `${mustMatchPattern} /${value}/` : mustMatchPattern;
    case "format":
      return `must be ${formats[String(value)] ?? `in the format ${textOf(value ?? null)}`}`;
    case "uniqueItems":
      return "must not have the same item twice";
    case "contains":
      return "lacks an item that the schema requires";
    case "anyOf":
    case "oneOf": {
      const constants = constantsIn(value);
      if (constants) return choiceOf(constants);
      return keyword === "anyOf"
        ? "has none of the accepted forms"
        : "must have exactly one of the accepted forms";
    }
    case "false":
    case "not":
      return "is not allowed";
    default:
      return `does not match the schema (${keyword})`;
  }
}

function choiceOf(values: readonly Json[]): string {
  if (values.length === 0) return "has a value that is not allowed";
  return `must be ${values.length === 1 ? "" : "one of "}${values.map(textOf).join(", ")}`;
}

/** Returns null unless all schemas are constants. */
function constantsIn(schemas: Json | undefined): Json[] | null {
  if (!Array.isArray(schemas)) return null;
  const values = schemas.map((schema) => (isJsonObject(schema) ? schema.const : undefined));
  return values.every((value) => value !== undefined) ? values : null;
}

function atLeast(limit: number, one: string): string {
  return limit === 1 ? "must not be empty" : `must have at least ${counted(limit, one)}`;
}

const typesOf = (value: Json): string =>
  [value]
    .flat()
    .map((type) => types[String(type)] ?? String(type))
    .join(" or ");

const textOf = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Follows references, as the validator did. */
function valueAt(
  schema: Json,
  location: string,
  lookup: Record<string, unknown>,
): Json | undefined {
  let here: unknown = schema;
  for (const step of parsePointerFragment(location) ?? []) {
    const found = lookUp(here, [step]);
    if (!found.found) return undefined;
    here = step === "$ref" && typeof found.value === "string" ? target(here, lookup) : found.value;
  }
  return here as Json | undefined;
}

function target(from: unknown, lookup: Record<string, unknown>): unknown {
  const { __absolute_ref__: absolute, $ref } = from as Record<string, string | undefined>;
  return lookup[absolute ?? $ref ?? ""];
}
