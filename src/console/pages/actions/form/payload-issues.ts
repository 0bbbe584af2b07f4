// Finds the errors in a payload, by field. The validator interprets the schema, because the content
// security policy forbids generated code. The server validates the payload again.

import { type OutputUnit, validate } from "@cfworker/json-schema";
import { isRequired, mustMatchPattern } from "../../../../domain/payload/issue-words.ts";
import type { Json, JsonObject } from "../../../../domain/payload/json.ts";
import { schemaAt } from "../../../../domain/payload/schema-form.ts";
import {
  instancePath,
  leavesOf,
  missingField,
} from "../../../../domain/payload/validation-units.ts";
import { asSentence } from "../../../client/api-error.ts";
import { texts } from "../../../texts/index.ts";

const words = texts.schemaForm.issues;
const maxUnits = 300;
const mostChoices = 8;

export interface FieldIssue {
  /** Property names and item indexes, from the root of the payload. */
  path: (string | number)[];
  message: string;
}

/** `schema` comes from planForm, so it is not recursive. */
export function findFieldIssues(payload: Json | undefined, schema: JsonObject): FieldIssue[] {
  const units = unitsOf(payload, schema);
  return leavesOf(onlyNearest(units)).map((unit) => toIssue(unit, schema));
}

export function fits(payload: Json | undefined, schema: JsonObject): boolean {
  return unitsOf(payload, schema, true).length === 0;
}

/** In the server's paths, dots separate the parts. */
export function atFields(issues: readonly { path: string; message: string }[]): FieldIssue[] {
  return issues.map(({ path, message }) => ({
    path: path === "" ? [] : path.split(".").map(asIndex),
    message: translated(message),
  }));
}

function translated(message: string): string {
  if (message === isRequired) return words.required;
  return message.startsWith(mustMatchPattern) ? words.pattern : asSentence(message);
}

/** Removes the fields that the user has emptied, which stay in the form's data as undefined. */
export function withoutGaps(value: unknown): Json | undefined {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as Json);
}

function unitsOf(payload: Json | undefined, schema: JsonObject, first = false): OutputUnit[] {
  const value = withoutGaps(payload);
  if (value === undefined) return [];
  try {
    return validate(value, schema, "2020-12", {}, first).errors.slice(0, maxUnits);
  } catch {
    // The schema cannot be used; the server reports that.
    return [];
  }
}

/** If no choice matches, keeps only the errors of the nearest choice. */
function onlyNearest(units: OutputUnit[]): OutputUnit[] {
  const branch = /^(.*\/(?:oneOf|anyOf))\/(\d+)(?=\/)/;
  const optionOf = ({ keywordLocation }: OutputUnit) => branch.exec(keywordLocation) ?? [];
  const groups = Map.groupBy(units, (unit) => optionOf(unit)[1]).values();
  const farther = [...groups].flatMap((group) => {
    const options = Map.groupBy(group, (unit) => optionOf(unit)[2]).values();
    return [...options].sort((a, b) => a.length - b.length).slice(1);
  });
  return units.filter((unit) => !farther.some((option) => option.includes(unit)));
}

function toIssue(unit: OutputUnit, schema: JsonObject): FieldIssue {
  const path = instancePath(unit).map(asIndex);
  // The property has no field, so the error is shown at its parent.
  if (unit.keyword === "false") {
    return { path: path.slice(0, -1), message: words.unknown({ name: String(path.at(-1)) }) };
  }
  const missing = missingField(unit);
  if (missing !== null) return { path: [...path, missing], message: words.required };
  return { path, message: messageOf(unit, schemaAt(schema, unit.keywordLocation)) };
}

function messageOf({ keyword, error }: OutputUnit, value: Json | undefined): string {
  const number = typeof value === "number" ? value : null;
  if (keyword === "type") return words.type({ types: typeNames(value) });
  if (keyword === "enum" && Array.isArray(value)) return enumIssue(value);
  if (keyword === "const") return words.const({ value: asText(value) });
  if (keyword === "format") return words.format({ name: String(value) });
  if (keyword === "pattern") return words.pattern;
  if (keyword === "uniqueItems") return words.uniqueItems;
  if (keyword === "oneOf" || keyword === "anyOf") return words.choice;
  if (number === null) return error;
  const { counts, numbers } = words;
  if (Object.hasOwn(counts, keyword)) {
    return counts[keyword as keyof typeof counts]({ limit: number });
  }
  if (Object.hasOwn(numbers, keyword)) {
    // Written as in the schema, not as the language writes numbers.
    return numbers[keyword as keyof typeof numbers]({ limit: String(number) });
  }
  return error;
}

function typeNames(value: Json | undefined): string {
  const names: Readonly<Record<string, string>> = texts.schemaForm.types;
  const types = [value].flat().map(String);
  return types.map((type) => names[type] ?? type).join(words.or);
}

function enumIssue(choices: readonly Json[]): string {
  return choices.length <= mostChoices
    ? words.enum({ choices: choices.map(asText).join(", ") })
    : words.enumOfMany;
}

const asText = (value: Json | undefined): string =>
  typeof value === "string" ? value : (JSON.stringify(value) ?? "");

const asIndex = (part: string): string | number => (/^\d+$/.test(part) ? Number(part) : part);
