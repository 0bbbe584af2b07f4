// Describes fields in a few words.

import type { JsonObject } from "../../domain/payload/json.ts";
import type { Field } from "./fields.ts";
import { lineOf, pathLine, valueLine } from "./lines.ts";
import type { Path } from "./places.ts";
import { stars } from "./secrecy.ts";

const maxNamed = 6;

export function labelOf(field: Field, path: Path): string {
  const isChosen = field.kind === "choice" || field.kind === "choices" || field.kind === "flag";
  const isNews = field.title.toLowerCase() !== field.key.toLowerCase();
  const words = [
    isNews ? field.title : "",
    isChosen || field.kind === "group" ? "" : wantedOf(field),
    exampleOf(field),
    field.required ? "" : "optional",
  ].filter((part) => part !== "");
  const about = words.length > 0 ? ` (${words.join("; ")})` : "";
  return pathLine(path) + about;
}

function exampleOf({ kind, keywords }: Field): string {
  const isTyped = kind === "text" || kind === "number" || kind === "json";
  const example = isTyped ? lineOf(keywords.placeholder, 60) : "";
  return example === "" ? "" : `such as ${example}`;
}

export function complaintOf(field: Field, problem: string): string {
  return `${lineOf(problem).replace(/\.$/, "")}. Expected: ${wantedOf(field)}.`;
}

/** Returns text such as "whole number, 1 to 100". */
export function wantedOf(field: Field): string {
  if (field.kind === "secret" && field.open.kind === "choice") {
    return `${wantedOf(field.open)}, hidden`;
  }
  const constraints = constraintsOf(field);
  const chosen = { fixed: "always", choice: "one of", choices: "any of" };
  if (field.kind === "fixed" || field.kind === "choice" || field.kind === "choices") {
    return `${chosen[field.kind]} ${constraints}`;
  }
  return constraints === "" ? typeOf(field) : `${typeOf(field)}, ${constraints}`;
}

export function typeOf(field: Field): string {
  switch (field.kind) {
    case "number":
      return field.whole ? "whole number" : "number";
    case "flag":
      return "yes or no";
    case "secret":
      return `${typeOf(field.open)}, hidden`;
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
  return [...valuesOf(field), ...formatOf(field), ...limitsOf(field.keywords), ...nothing].join(
    ", ",
  );
}

function valuesOf(field: Field): string[] {
  if (field.kind === "fixed") return [field.secret ? stars : valueLine(field.value, 60)];
  if (field.kind === "secret") return valuesOf(field.open);
  return field.kind === "choice" || field.kind === "choices" ? [named(field.choices)] : [];
}

function plural(item: Field): string {
  const type = typeOf(item);
  return type === "yes or no" ? "yes or no" : `${type.replace(", hidden", "")}s`;
}

function named(choices: { name: string }[]): string {
  if (choices.length === 0) return "(no choices)";
  const shown = choices.slice(0, maxNamed).map(({ name }) => valueLine(name, 40));
  const more = choices.length > maxNamed ? `, and ${choices.length - maxNamed} more` : "";
  return shown.join(", ") + more;
}

function formatOf({ kind, keywords }: Field): string[] {
  if (kind !== "text" && kind !== "secret") return [];
  const { format, pattern } = keywords;
  const words: string[] = [];
  if (typeof format === "string" && format !== "password") words.push(lineOf(format, 40));
  if (typeof pattern === "string") words.push(`matches ${valueLine(pattern, 60)}`);
  return words;
}

function limitsOf(keywords: JsonObject): string[] {
  const { multipleOf, uniqueItems } = keywords;
  const limit = (name: string) => {
    const value = keywords[name];
    return typeof value === "number" ? value : undefined;
  };
  const above = limit("exclusiveMinimum");
  const below = limit("exclusiveMaximum");
  return [
    range(limit("minimum"), limit("maximum"), ""),
    above === undefined ? "" : `more than ${above}`,
    below === undefined ? "" : `less than ${below}`,
    typeof multipleOf === "number" ? `a multiple of ${multipleOf}` : "",
    range(limit("minLength"), limit("maxLength"), " character"),
    range(limit("minItems"), limit("maxItems"), " item"),
    uniqueItems === true ? "each once" : "",
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
