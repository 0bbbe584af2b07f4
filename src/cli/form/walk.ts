// Walks over a form together with a payload: what is missing, what is secret, whose place a path is.

import type { Json, JsonObject } from "../../domain/json.ts";
import type { Field, Form } from "./fields.ts";
import { type Path, putAt, valueAt } from "./places.ts";
import { isObject } from "./read-schema.ts";

export interface Place {
  field: Field;
  path: Path;
}

/**
 * The fields that the payload must have and has not, of objects that it has or must have. What can only
 * have one value is filled in.
 */
export function missingPlaces(form: Form, payload: JsonObject): Place[] {
  const missing: Place[] = [];
  const visit = (fields: readonly Field[], at: Path) => {
    for (const field of fields) {
      const path = [...at, field.key];
      const value = valueAt(payload, path);
      if (field.kind === "group" && isObject(value)) visit(field.parts, path);
      if (value !== undefined || !field.required) continue;
      if (field.kind === "fixed") putAt(payload, path, field.value);
      else if (field.kind === "group" && someRequired(field.parts)) visit(field.parts, path);
      else missing.push({ field, path });
    }
  };
  visit(form.fields, []);
  return missing;
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
export function placeOfIssue(form: Form, dotted: string): Place | undefined {
  let found: Place | undefined;
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

/** A copy for people to look at, without what was typed unseen. */
export function withoutSecrets(form: Form, payload: JsonObject): JsonObject {
  return Object.fromEntries(hidden(form.fields, payload));
}

const stars = "********";

function hidden(fields: readonly Field[], value: JsonObject): [string, Json][] {
  return Object.entries(value).map(([key, one]) => {
    const field = fields.find((known) => known.key === key);
    return [key, field ? hiddenValue(field, one) : one];
  });
}

function hiddenValue(field: Field, value: Json): Json {
  if (field.kind === "secret") return value === null ? null : stars;
  if (field.kind === "group" && isObject(value)) {
    return Object.fromEntries(hidden(field.parts, value));
  }
  if (field.kind === "list" && Array.isArray(value)) {
    return value.map((item) => hiddenValue(field.item, item));
  }
  return value;
}

function someRequired(parts: readonly Field[]): boolean {
  return parts.some((part) => part.required);
}
