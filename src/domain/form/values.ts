// Computes the values of fields that nobody fills in, such as defaults, constants and unticked
// checkboxes, and reads numbers that are typed as text.

import { isJsonObject, type Json, type JsonObject, ownValue } from "../payload/json.ts";
import { type Field, type FieldOf, isGroup, namesIn } from "./form.ts";
import { optionFor, problemsOf } from "./problems.ts";

/** The value of a field that the user leaves empty. Undefined omits the field. */
export function emptyValue({ required, nullable }: Field): null | undefined {
  return required && nullable ? null : undefined;
}

/**
 * Adds the defaults of fields that have no value. An optional object that would lack a required
 * value stays absent, because otherwise the user could not leave it out.
 */
export function withDefaults(field: Field, value: Json | undefined): Json | undefined {
  if (value === undefined && field.keywords.default !== undefined) return field.keywords.default;
  if (field.kind === "list" && Array.isArray(value)) return eachItem(field, value, withDefaults);
  if (field.kind !== "group" || (value !== undefined && !isJsonObject(value))) return value;
  const made: JsonObject = { ...value };
  for (const part of field.parts)
    set(made, part.key, withDefaults(part, ownValue(value, part.key)));
  if (value !== undefined) return made;
  const isAbsent = isEmpty(made) || (!field.required && lacksValue(field, made));
  return isAbsent ? undefined : made;
}

function lacksValue(field: Field, value: JsonObject): boolean {
  return problemsOf(field, completed(field, value)).some(({ keyword }) => keyword === "required");
}

/**
 * Sets required fields that need no input, such as constants and unticked checkboxes. Removes empty
 * optional objects, because a browser cannot show whether they exist.
 */
export function completed(field: Field, value: Json): Json {
  if (field.kind === "list" && Array.isArray(value)) return eachItem(field, value, completed);
  if (field.kind === "variants") return completedOption(field.options, value);
  if (field.kind !== "group" || !isJsonObject(value)) return value;
  const made: JsonObject = { ...value };
  for (const part of field.parts) {
    const own = ownValue(value, part.key);
    const isGiven = own !== undefined && (own !== null || part.nullable);
    const given = isGiven ? own : part.required ? onlyAnswer(part) : undefined;
    const isNothing = !part.required && part.keywords.default === undefined && isEmpty(given);
    set(made, part.key, given === undefined || isNothing ? undefined : completed(part, given));
  }
  return completedOption(field.options, made);
}

/** The value of a new item, key or optional object. Null until the user enters one. */
export function newValue(field: Field): Json {
  const value = withDefaults(field, undefined);
  if (value !== undefined) return completed(field, value);
  if (field.kind === "group") return completed(field, {});
  if (field.kind === "fixed") return field.value;
  if (field.kind === "list" || field.kind === "choices") return [];
  return field.kind === "flag" ? false : null;
}

/**
 * Changes the value to fit another option, and keeps the parts that already fit. Returns undefined
 * if nothing fits and the option has no default.
 */
export function changedTo(
  option: Field,
  options: readonly Field[],
  value: Json | undefined,
): Json | undefined {
  if (!isGroup(option)) {
    const fits = value !== undefined && problemsOf(option, value).length === 0;
    return fits ? value : withDefaults(option, undefined);
  }
  const names = new Set(namesIn(options));
  const parts = new Map(option.parts.map((part) => [part.key, part]));
  const kept = Object.entries(isJsonObject(value) ? value : {}).filter(([key, given]) => {
    const part = parts.get(key);
    return part ? problemsOf(part, given).length === 0 : !names.has(key);
  });
  return completed(option, withDefaults(option, Object.fromEntries(kept)) ?? {});
}

function completedOption(options: readonly Field[], value: Json): Json {
  const option = options[optionFor(options, value)];
  return option ? completed(option, value) : value;
}

function onlyAnswer(field: Field): Json | undefined {
  if (field.kind === "fixed") return field.value;
  if (field.kind === "group") return {};
  if (field.kind === "text" || field.kind === "number") return emptyValue(field);
  return field.kind === "flag" && field.keywords.default === undefined ? false : undefined;
}

function eachItem(
  { items, item }: FieldOf<"list">,
  value: readonly Json[],
  change: (field: Field, value: Json) => Json | undefined,
): Json[] {
  return value.map((each, index) => change(items[index] ?? item, each) ?? null);
}

function set(object: JsonObject, key: string, value: Json | undefined): void {
  if (value === undefined) delete object[key];
  else object[key] = value;
}

function isEmpty(value: Json | undefined): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/**
 * Returns the number that was typed; null if the text is not a finite number in decimal notation.
 */
export function numberIn(text: string): number | null {
  const digits = text.trim();
  const value = Number(digits);
  const isNumber = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits);
  return isNumber && Number.isFinite(value) ? value : null;
}
