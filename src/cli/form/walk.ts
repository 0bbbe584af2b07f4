// Walks a form together with a payload: finds missing values, and the field at a path.

import { type Field, partOf } from "../../domain/form/form.ts";
import { hasPartOf, isCovered, type Path, putAt, valueAt } from "../../domain/form/places.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import type { TerminalForm } from "./terminal-form.ts";

export interface PlacedField {
  field: Field;
  path: Path;
}

/** Ignores fields of optional objects that do not exist. Fills in fixed values. */
export function missingPlaces(form: TerminalForm, payload: JsonObject): PlacedField[] {
  const missing: PlacedField[] = [];
  const visit = (fields: readonly Field[], at: Path) => {
    for (const field of fields) {
      const path = [...at, field.key];
      const value = valueAt(payload, path);
      if (field.kind === "group" && isJsonObject(value)) visit(field.parts, path);
      if (value !== undefined || !field.required) continue;
      if (field.kind === "fixed") putAt(payload, path, field.value);
      else if (field.kind === "group" && field.parts.some((part) => part.required)) {
        visit(field.parts, path);
      } else missing.push({ field, path });
    }
  };
  visit(form.fields, []);
  return missing;
}

/** Returns the required fields whose values the user did not give. */
export function missingFields(form: TerminalForm, payload: JsonObject, given: readonly Path[]) {
  const silentIn = (fields: readonly Field[], at: Path): PlacedField[] =>
    fields.flatMap((field) => {
      const path = [...at, field.key];
      const value = valueAt(payload, path);
      if (value === undefined || field.kind === "fixed" || isCovered(path, given)) return [];
      if (field.kind === "group" && isJsonObject(value)) return silentIn(field.parts, path);
      return field.required && !hasPartOf(path, given) ? [{ field, path }] : [];
    });
  return silentIn(form.fields, []);
}

export function fieldAt(form: TerminalForm, path: Path): Field | undefined {
  const [first, ...rest] = path;
  const start = form.fields.find(({ key }) => key === first);
  return rest.reduce<Field | undefined>((field, key) => field && partOf(field, key), start);
}

/** Returns the deepest field along the dotted path for which the form can ask. */
export function placeOfIssue(form: TerminalForm, dotted: string): PlacedField | undefined {
  const placeIn = (fields: readonly Field[], at: Path): PlacedField | undefined => {
    const field = fields.findLast(({ key }) =>
      `${dotted}.`.startsWith(`${[...at, key].join(".")}.`),
    );
    if (!field) return undefined;
    const path = [...at, field.key];
    return field.kind === "group" ? placeIn(field.parts, path) : { field, path };
  };
  return placeIn(form.fields, []);
}
