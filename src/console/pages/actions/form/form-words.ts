// A form's labels, hints and errors in the user's language.

import {
  type Choice,
  type Field,
  formLimits,
  isGroup,
  limitOf,
} from "../../../../domain/form/form.ts";
import type { Path } from "../../../../domain/form/places.ts";
import type { Problem } from "../../../../domain/form/problems.ts";
import { isRequired, mustMatchPattern } from "../../../../domain/payload/issue-words.ts";
import type { Json } from "../../../../domain/payload/json.ts";
import { asSentence } from "../../../client/api-error.ts";
import { texts } from "../../../texts/index.ts";

const { hints, issues } = texts.schemaForm;

export interface FieldIssue {
  path: Path;
  message: string;
}

export function labelOf({ title, key }: Field): string {
  return title || key;
}

export function itemLabel(list: string, index: number): string {
  return `${list}-${index + 1}`;
}

export function choiceLabel({ name, value }: Choice): string {
  return name || asText(value);
}

/** Returns the labels on the path to a value. */
export function labelAt(root: Field, path: Path): string {
  const labels: string[] = [];
  let at: Field | undefined = root;
  for (const key of path) {
    const list: string | undefined = at?.kind === "list" ? labels.pop() : undefined;
    at = at && fieldIn(at, key);
    labels.push(list === undefined ? (at && labelOf(at)) || key : itemLabel(list, Number(key)));
  }
  return labels.join(", ");
}

function fieldIn(field: Field, key: string): Field | undefined {
  if (field.kind === "list") return field.item;
  if (!isGroup(field)) return undefined;
  const known = [...field.parts, ...field.others].find((part) => part.key === key);
  return known ?? field.options.map((option) => fieldIn(option, key)).find(Boolean);
}

export function hintOf(field: Field): string {
  const { enum: values, pattern, uniqueItems } = field.keywords;
  const limits = (...names: string[]) => names.map((name) => limitOf(field, name));
  const isExclusive = limits("exclusiveMinimum", "exclusiveMaximum").some(Number.isFinite);
  const step = limitOf(field, "multipleOf") ?? 1;
  const numbers = [hints.between, hints.atLeast, hints.atMost] as const;
  const lengths = [hints.lengthBetween, hints.lengthAtLeast, hints.lengthAtMost] as const;
  const items = [hints.itemsBetween, hints.itemsAtLeast, hints.itemsAtMost] as const;
  const isLong = Array.isArray(values) && values.length > formLimits.choices;
  const shown = [
    sentence(field.description),
    isExclusive ? "" : range(limits("minimum", "maximum"), numbers),
    step === 1 ? "" : hints.multipleOf(step),
    range(limits("minLength", "maxLength"), lengths),
    range(limits("minItems", "maxItems"), items),
    // Nothing can be ticked twice.
    uniqueItems === true && field.kind !== "choices" ? hints.unique : "",
    typeof pattern === "string" ? hints.mustMatch(pattern.slice(0, formLimits.characters)) : "",
    isLong ? hints.manyChoices(values.length) : "",
  ];
  return shown.filter((text) => text !== "").join(" ");
}

/** Adds a missing full stop, because more sentences follow. */
function sentence(text: string): string {
  return text === "" || /[.!?:…)]$/.test(text) ? text : `${text}.`;
}

function range(
  [low, high]: (number | undefined)[],
  [between, atLeast, atMost]: readonly [
    (low: number, high: number) => string,
    (low: number) => string,
    (high: number) => string,
  ],
): string {
  if (low !== undefined && high !== undefined) return between(low, high);
  if (low !== undefined) return low === 0 ? "" : atLeast(low);
  return high === undefined ? "" : atMost(high);
}

export function issueOf({ path, keyword, wanted }: Problem): FieldIssue {
  return { path, message: messageOf(keyword, wanted) };
}

function messageOf(keyword: string, wanted: Json): string {
  if (typeof wanted === "number" && Object.hasOwn(issues.numbers, keyword)) {
    return issues.numbers[keyword as keyof typeof issues.numbers](wanted);
  }
  switch (keyword) {
    case "required":
      return issues.required;
    case "type":
      return issues.type([wanted].flat().map(String));
    case "enum":
      return issues.enum([wanted].flat().map(asText));
    case "const":
      return issues.const(asText(wanted));
    case "format":
      return issues.format(asText(wanted));
    case "uniqueItems":
      return issues.uniqueItems;
    case "additionalProperties":
      return issues.unknown(asText(wanted));
    default:
      return issues.choice;
  }
}

/** In the server's paths, dots separate the keys. */
export function atFields(found: readonly { path: string; message: string }[]): FieldIssue[] {
  return found.map(({ path, message }) => ({
    path: path === "" ? [] : path.split("."),
    message: translated(message),
  }));
}

function translated(message: string): string {
  if (message === isRequired) return issues.required;
  return message.startsWith(mustMatchPattern) ? issues.pattern : asSentence(message);
}

function asText(value: Json): string {
  return typeof value === "string" && value !== "" ? value : JSON.stringify(value);
}
