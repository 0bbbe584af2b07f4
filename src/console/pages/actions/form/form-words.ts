// A form's labels, hints and errors in the user's language.

import {
  type Choice,
  type Field,
  formLimits,
  limitOf,
  partOf,
} from "../../../../domain/form/form.ts";
import type { Path } from "../../../../domain/form/places.ts";
import type { Problem } from "../../../../domain/form/problems.ts";
import { isRequired, mustMatchPattern } from "../../../../domain/payload/issue-words.ts";
import type { Json } from "../../../../domain/payload/json.ts";
import { asSentence } from "../../../client/api-error.ts";
import { sentences } from "../../../format/sentences.ts";
import { texts } from "../../../texts/index.ts";
import type { Message } from "../../../texts/messages.ts";

const { hints, issues } = texts.schemaForm;

/** A message names at most this many choices. */
const mostChoices = 8;

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

/** Returns the labels of all fields on the path to a value. */
export function labelAt(root: Field, path: Path): string {
  const labels: string[] = [];
  let at: Field | undefined = root;
  for (const key of path) {
    const list: string | undefined = at?.kind === "list" ? labels.pop() : undefined;
    at = at && partOf(at, key);
    labels.push(list === undefined ? (at && labelOf(at)) || key : itemLabel(list, Number(key)));
  }
  return labels.join(texts.words.comma);
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
    isExclusive ? "" : range(limits("minimum", "maximum"), numbers, String),
    step === 1 ? "" : hints.multipleOf({ step: String(step) }),
    range(limits("minLength", "maxLength"), lengths),
    range(limits("minItems", "maxItems"), items),
    // In a field with checkboxes, nothing can be ticked twice.
    uniqueItems === true && field.kind !== "choices" ? hints.unique : "",
    // A description says the same in words, which people understand better than a pattern.
    typeof pattern === "string" && field.description === ""
      ? hints.mustMatch({ pattern: pattern.slice(0, formLimits.characters) })
      : "",
    isLong ? hints.manyChoices({ many: values.length }) : "",
  ];
  return sentences(shown);
}

/** Adds a missing full stop, because more sentences follow. */
function sentence(text: string): string {
  return text === "" || /[.!?:…)]$/.test(text) ? text : `${text}.`;
}

/** `written` formats a bound. By default, bounds are formatted as the language writes numbers. */
function range(
  [low, high]: (number | undefined)[],
  [between, atLeast, atMost]: readonly [Message<"low" | "high">, Message<"low">, Message<"high">],
  written: (bound: number) => number | string = (bound) => bound,
): string {
  if (low !== undefined && high !== undefined) {
    return between({ low: written(low), high: written(high) });
  }
  if (low !== undefined) return low === 0 ? "" : atLeast({ low: written(low) });
  return high === undefined ? "" : atMost({ high: written(high) });
}

export function issueOf({ path, keyword, wanted }: Problem): FieldIssue {
  return { path, message: messageOf(keyword, wanted) };
}

function messageOf(keyword: string, wanted: Json): string {
  const { counts, numbers } = issues;
  if (Object.hasOwn(counts, keyword)) {
    return counts[keyword as keyof typeof counts]({ limit: Number(wanted) });
  }
  if (Object.hasOwn(numbers, keyword)) {
    // The limit is shown as in the schema, not as the language writes numbers.
    return numbers[keyword as keyof typeof numbers]({ limit: String(wanted) });
  }
  switch (keyword) {
    case "required":
      return issues.required;
    case "type":
      return issues.type({ types: typeNames(wanted) });
    case "enum":
      return enumIssue([wanted].flat());
    case "const":
      return issues.const({ value: asText(wanted) });
    case "pattern":
      return issues.pattern;
    case "format":
      return issues.format({ name: asText(wanted) });
    case "uniqueItems":
      return issues.uniqueItems;
    case "additionalProperties":
      return issues.unknown({ name: asText(wanted) });
    default:
      return issues.choice;
  }
}

function typeNames(wanted: Json): string {
  const names: Readonly<Record<string, string>> = texts.schemaForm.types;
  const types = [wanted].flat().map(String);
  return types.map((type) => names[type] ?? type).join(issues.or);
}

function enumIssue(choices: readonly Json[]): string {
  return choices.length <= mostChoices
    ? issues.enum({ choices: choices.map(asText).join(texts.words.comma) })
    : issues.enumOfMany;
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
