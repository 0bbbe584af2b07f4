// The findings of the JSON Schema validator: one unit for each keyword that failed, and one for
// each keyword that contains it.

import type { OutputUnit } from "@cfworker/json-schema";
import { parsePointerFragment } from "../../lib/json/json-pointer.ts";

/** These keywords fail at an object because of one of its fields. */
const aboutFields = new Set([
  ...["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
]);

/**
 * Returns the units that name a problem, without those that only contain others. For a choice
 * between constants, returns the unit of the choice, because the unit of one constant would name it
 * as the only allowed value.
 */
export function leavesOf(units: readonly OutputUnit[]): OutputUnit[] {
  const choices = units.filter((unit) => isChoice(unit, units));
  const named = units.filter((unit) => !choices.some((choice) => isBelow(unit, choice)));
  return named.filter((unit) => !named.some((other) => isBelow(other, unit)));
}

function isChoice(unit: OutputUnit, units: readonly OutputUnit[]): boolean {
  if (unit.keyword !== "oneOf" && unit.keyword !== "anyOf") return false;
  const inside = units.filter((other) => isBelow(other, unit));
  const isConstant = ({ keyword, keywordLocation: at }: OutputUnit) =>
    keyword === "const" && /^\/\d+\/const$/.test(at.slice(unit.keywordLocation.length));
  return inside.length > 0 && inside.every(isConstant);
}

function isBelow(unit: OutputUnit, container: OutputUnit): boolean {
  // The validator gives a schema that is `false` the location of the value.
  if (unit.keyword === "false" && aboutFields.has(container.keyword)) {
    return unit.instanceLocation.startsWith(`${container.instanceLocation}/`);
  }
  const { keyword, keywordLocation: at } = container;
  // `then` and `else` are beside `if`, not inside it.
  const within = keyword === "if" ? [at.replace(/if$/, "then"), at.replace(/if$/, "else")] : [at];
  return (
    within.some((location) => unit.keywordLocation.startsWith(`${location}/`)) &&
    unit.instanceLocation.startsWith(container.instanceLocation)
  );
}

/**
 * Returns a field that is given and the one that it needs. Only the validator's message contains
 * their names.
 */
export function fieldsTogether({ keyword, error }: OutputUnit) {
  if (keyword !== "dependentRequired" && keyword !== "dependencies") return null;
  const [, given, needed] = /has "(.*)" but does not have "(.*)"\.$/s.exec(error) ?? [];
  return given !== undefined && needed !== undefined ? { given, needed } : null;
}

/** Returns the field that is required. Only the validator's message contains it. */
export function missingField({ keyword, error }: OutputUnit): string | null {
  if (keyword !== "required") return null;
  return /does not have required property "(.*)"\.$/s.exec(error)?.[1] ?? null;
}

export function instancePath({ instanceLocation }: OutputUnit): string[] {
  return parsePointerFragment(instanceLocation) ?? [];
}
