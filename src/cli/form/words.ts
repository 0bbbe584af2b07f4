// Describes fields in a few words.

import { type Choice, type Field, limitOf } from "../../domain/form/form.ts";
import type { Path } from "../../domain/form/places.ts";
import { firstNames } from "../output/first-names.ts";
import { lineOf, pathLine, valueLine } from "./lines.ts";
import { isHidden, stars } from "./terminal-form.ts";

export function labelOf(field: Field, path: Path): string {
  const { kind, title } = field;
  const isChosen = (kind === "choice" && !isHidden(field)) || kind === "choices" || kind === "flag";
  const isNews = title.toLowerCase() !== field.key.toLowerCase();
  const words = [
    isNews ? lineOf(title) : "",
    isChosen || kind === "group" ? "" : wantedOf(field),
    exampleOf(field),
    field.required ? "" : "optional",
  ].filter((part) => part !== "");
  const about = words.length > 0 ? ` (${words.join("; ")})` : "";
  return pathLine(path) + about;
}

function exampleOf(field: Field): string {
  const { kind, keywords } = field;
  const isTyped = kind === "text" || kind === "number" || kind === "json";
  const example = isTyped && !isHidden(field) ? lineOf(keywords.placeholder, 60) : "";
  return example === "" ? "" : `such as ${example}`;
}

export function complaintOf(field: Field, problem: string): string {
  return `${lineOf(problem).replace(/\.$/, "")}. Expected: ${wantedOf(field)}.`;
}

/** Returns text such as "whole number, 1 to 100". */
export function wantedOf(field: Field): string {
  const constraints = constraintsOf(field);
  const chosen = { fixed: "always", choice: "one of", choices: "any of" };
  if (field.kind === "fixed" || field.kind === "choice" || field.kind === "choices") {
    return `${chosen[field.kind]} ${constraints}${isHidden(field) ? ", hidden" : ""}`;
  }
  return constraints === "" ? typeOf(field) : `${typeOf(field)}, ${constraints}`;
}

export function typeOf(field: Field): string {
  return isHidden(field) ? `${openTypeOf(field)}, hidden` : openTypeOf(field);
}

function openTypeOf(field: Field): string {
  switch (field.kind) {
    case "number":
      return field.whole ? "whole number" : "number";
    case "flag":
      return "yes or no";
    case "list":
      return `list of ${plural(field.item)}`;
    case "group":
      return "object";
    case "json":
      return "JSON";
    default:
      return field.kind;
  }
}

/** Returns the restrictions other than the type. */
export function constraintsOf(field: Field): string {
  const nothing = field.nullable && field.kind !== "choice" ? ["or null"] : [];
  return [...valuesOf(field), ...formatOf(field), ...limitsOf(field), ...nothing].join(", ");
}

function valuesOf(field: Field): string[] {
  if (field.kind === "fixed") return [field.secret ? stars : valueLine(field.value, 60)];
  return field.kind === "choice" || field.kind === "choices" ? [named(field.choices)] : [];
}

function plural(item: Field): string {
  return item.kind === "flag" ? "yes or no" : `${openTypeOf(item)}s`;
}

/** Returns the value, which scripts pass, and its name in the schema. */
export function nameOf({ value, name: title }: Choice): string {
  const name = value === "" ? '""' : valueLine(value);
  return title !== "" && title !== name ? `${name}: ${lineOf(title)}` : name;
}

function named(choices: readonly Choice[]): string {
  if (choices.length === 0) return "(no choices)";
  return firstNames(
    choices.map((choice) => valueLine(nameOf(choice), 40)),
    6,
  );
}

function formatOf(field: Field): string[] {
  if (field.kind !== "text" && !isHidden(field)) return [];
  const { keywords } = field;
  const { format, pattern } = keywords;
  const words: string[] = [];
  if (typeof format === "string" && format !== "password") words.push(lineOf(format, 40));
  if (typeof pattern === "string") words.push(`matches ${valueLine(pattern, 60)}`);
  return words;
}

function limitsOf(field: Field): string[] {
  const limit = (name: string) => limitOf(field, name);
  const step = limit("multipleOf");
  const above = limit("exclusiveMinimum");
  const below = limit("exclusiveMaximum");
  return [
    range(limit("minimum"), limit("maximum"), ""),
    above === undefined ? "" : `more than ${above}`,
    below === undefined ? "" : `less than ${below}`,
    step === undefined ? "" : `a multiple of ${step}`,
    range(limit("minLength"), limit("maxLength"), " character"),
    range(limit("minItems"), limit("maxItems"), " item"),
    field.keywords.uniqueItems === true ? "no repeats" : "",
  ].filter((words) => words !== "");
}

function range(from: number | undefined, to: number | undefined, unit: string): string {
  const units = (count: number) => (unit === "" || count === 1 ? unit : `${unit}s`);
  if (from !== undefined && to !== undefined) {
    return from === to ? `exactly ${from}${units(from)}` : `${from} to ${to}${units(to)}`;
  }
  if (from !== undefined) return `at least ${from}${units(from)}`;
  return to === undefined ? "" : `at most ${to}${units(to)}`;
}
