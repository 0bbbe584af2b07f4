// Placeholders such as `${payload.a.b}`. `$${payload` is an escaped `${payload`, and other `${…}`
// remain unchanged.

import type { Json, JsonObject } from "../../../domain/payload/json.ts";
import { lookUp } from "../../../lib/json/json-pointer.ts";
import { ActionError } from "../../connection/errors.ts";

export interface Placeholder {
  text: string;
  /** `["a", "b"]`; empty for the whole payload. */
  path: string[];
}

const escaped = "$${payload";
const escapeOrPlaceholder = /\$\$\{payload(?!\w)|\$\{payload((?:\.[\p{L}\p{N}_-]+)*)\}/gu;
const beginning = /(?<!\$)\$\{payload(?!\w)/g;

/** Throws an Error with a message for operators if a placeholder is malformed. */
export function placeholdersIn(text: string): Placeholder[] {
  const found = [...text.matchAll(escapeOrPlaceholder)]
    .filter(([whole]) => whole !== escaped)
    .map(([whole, path = ""]) => ({ text: whole, path: stepsOf(path) }));
  if (found.length === (text.match(beginning) ?? []).length) return found;
  throw new Error(
    `a placeholder must look like \${payload.field}; use ${escaped} for a literal \${payload`,
  );
}

/** Returns null if one of the values is absent or null. Throws ActionError PAYLOAD_INVALID. */
export function fill(
  template: string,
  payload: JsonObject,
  write: (text: string) => string = (text) => text,
): string | null {
  let isComplete = true;
  const filled = template.replace(escapeOrPlaceholder, (whole: string, path = "") => {
    if (whole === escaped) return whole.slice(1);
    const value = valueAt(payload, stepsOf(path));
    if (value === null) isComplete = false;
    return value === null ? "" : write(textOf(value, template));
  });
  return isComplete ? filled : null;
}

/** Throws ActionError PAYLOAD_INVALID with `problem` for the template's first placeholder. */
export function refuseValue(template: string, problem: string): never {
  refuseField(placeholdersIn(template)[0]?.path ?? [], problem);
}

/**
 * Throws ActionError PAYLOAD_INVALID with `problem` for the template's first field without a value.
 */
export function refuseAbsence(template: string, payload: JsonObject, problem: string): never {
  const isAbsent = ({ path }: Placeholder) => valueAt(payload, path) === null;
  refuseField(placeholdersIn(template).find(isAbsent)?.path ?? [], problem);
}

function refuseField(steps: string[], problem: string): never {
  const path = steps.join(".");
  const message = `The payload does not match the action's schema: ${path} ${problem}.`;
  throw new ActionError("PAYLOAD_INVALID", message, { issues: [{ path, message: problem }] });
}

function stepsOf(path: string): string[] {
  return path.split(".").slice(1);
}

function valueAt(payload: JsonObject, path: string[]): Json {
  const found = lookUp(payload, path);
  return found.found ? (found.value as Json) : null;
}

function textOf(value: Json, template: string): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  if (text.includes("\0")) refuseValue(template, "contains a NUL character");
  return text;
}
