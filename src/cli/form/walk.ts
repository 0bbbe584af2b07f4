// Walks over a form together with a payload: what is missing, what is secret, whose place a path is.

import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import type { Field, Form } from "./fields.ts";
import { hasPartOf, isCovered, type Path, putAt, valueAt } from "./places.ts";
import { stars } from "./secrecy.ts";

export interface PlacedField {
  field: Field;
  path: Path;
}

/**
 * The fields that the payload must have and has not, of objects that it has or must have. What can only
 * have one value is filled in.
 */
export function missingPlaces(form: Form, payload: JsonObject): PlacedField[] {
  const missing: PlacedField[] = [];
  const visit = (fields: readonly Field[], at: Path) => {
    for (const field of fields) {
      const path = [...at, field.key];
      const value = valueAt(payload, path);
      if (field.kind === "group" && isJsonObject(value)) visit(field.parts, path);
      if (value !== undefined || !field.required) continue;
      if (field.kind === "fixed") putAt(payload, path, field.value);
      else if (field.kind === "group" && someRequired(field.parts)) visit(field.parts, path);
      else missing.push({ field, path });
    }
  };
  visit(form.fields, []);
  return missing;
}

/** The fields that the payload must have, and has without anybody having said so. */
export function silentPlaces(
  form: Form,
  payload: JsonObject,
  given: readonly Path[],
): PlacedField[] {
  const silent: PlacedField[] = [];
  const visit = (fields: readonly Field[], at: Path) => {
    for (const field of fields) {
      const path = [...at, field.key];
      const value = valueAt(payload, path);
      if (value === undefined || field.kind === "fixed" || isCovered(path, given)) continue;
      if (field.kind === "group" && isJsonObject(value)) visit(field.parts, path);
      else if (field.required && !hasPartOf(path, given)) silent.push({ field, path });
    }
  };
  visit(form.fields, []);
  return silent;
}

/** The field at a path, items of lists among them; undefined when the form has none there. */
export function fieldAt(form: Form, path: Path): Field | undefined {
  let fields: readonly Field[] = form.fields;
  let found: Field | undefined;
  for (const key of path) {
    found = found?.kind === "list" ? found.item : fields.find((field) => field.key === key);
    if (!found) return undefined;
    fields = found.kind === "group" ? found.parts : [];
  }
  return found;
}

/** The field that a dotted path of an issue lies in: the deepest that can be asked for. */
export function placeOfIssue(form: Form, dotted: string): PlacedField | undefined {
  let found: PlacedField | undefined;
  const visit = (fields: readonly Field[], at: Path) => {
    for (const field of fields) {
      const path = [...at, field.key];
      const name = path.join(".");
      if (dotted !== name && !dotted.startsWith(`${name}.`)) continue;
      if (field.kind === "group") visit(field.parts, path);
      else found = { field, path };
    }
  };
  visit(form.fields, []);
  return found;
}

/** A copy for people to look at, with stars for all that is secret. */
export function withoutSecrets(form: Form, payload: JsonObject): JsonObject {
  return partsWithout(form.fields, form.restIsSecret, payload);
}

/** The same for the value of one field. */
export function valueWithoutSecrets(field: Field, value: Json): Json {
  if (field.kind === "list" && Array.isArray(value)) {
    return value.map((item) => valueWithoutSecrets(field.item, item));
  }
  if (field.kind === "group" && isJsonObject(value)) {
    return partsWithout(field.parts, field.restIsSecret, value);
  }
  const hides = field.secret || (field.kind === "list" && field.item.secret);
  return hides ? starred(value) : value;
}

/** Whether any value of the form is not to be shown. */
export function hasSecrets(form: Form): boolean {
  const isOne = (field: Field): boolean =>
    field.secret ||
    (field.kind === "list" && isOne(field.item)) ||
    (field.kind === "group" && (field.restIsSecret || field.parts.some(isOne)));
  return form.restIsSecret || form.fields.some(isOne);
}

function partsWithout(
  fields: readonly Field[],
  restIsSecret: boolean,
  value: JsonObject,
): JsonObject {
  const parts = Object.entries(value).map(([key, one]): [string, Json] => {
    const field = fields.find((known) => known.key === key);
    if (field) return [key, valueWithoutSecrets(field, one)];
    return [key, restIsSecret ? starred(one) : one];
  });
  return Object.fromEntries(parts);
}

function starred(value: Json): Json {
  return value === null ? null : stars;
}

function someRequired(parts: readonly Field[]): boolean {
  return parts.some((part) => part.required);
}
