// Looks up values in the rows of a structured result, and fills the payloads of its actions.
// Rows and actions come from an agent, so only own properties count, and no input makes these
// functions throw.

import { valueAt as valueIn } from "../form/places.ts";
import { isJsonObject, type Json, type JsonObject } from "../payload/json.ts";
import { redacted } from "../secrets/redaction.ts";

/** Longer paths find nothing. */
const maxPathLength = 200;
const rowReference = "$row.";

/** Returns the value at a key or at a dotted path, such as `account.email`. */
export function valueAt(row: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(row, path)) return row[path];
  return path.length > maxPathLength ? undefined : valueIn(row, path.split("."));
}

/**
 * Replaces each text such as `$row.id` with the row's value. Leaves out a field whose value is
 * missing or was redacted, so that the form asks for it.
 */
export function fillFrom(row: JsonObject, template: JsonObject): JsonObject {
  const filled = fill(row, template);
  return isJsonObject(filled) ? filled : {};
}

function fill(row: JsonObject, template: Json): Json | undefined {
  if (typeof template === "string" && template.startsWith(rowReference)) {
    const found = valueAt(row, template.slice(rowReference.length));
    return found === undefined ? undefined : eachPart(found, unlessRedacted);
  }
  return typeof template === "object" && template !== null
    ? eachPart(template, (part) => fill(row, part))
    : unlessRedacted(template);
}

function unlessRedacted(value: Json): Json | undefined {
  if (typeof value === "string") return value.includes(redacted) ? undefined : value;
  return typeof value === "object" && value !== null ? eachPart(value, unlessRedacted) : value;
}

function eachPart(value: Json, change: (part: Json) => Json | undefined): Json | undefined {
  if (Array.isArray(value)) return value.map((item) => change(item) ?? null);
  if (!isJsonObject(value)) return change(value);
  const parts = Object.entries(value).flatMap(([name, part]): [string, Json][] => {
    // A payload cannot contain `__proto__`.
    const changed = name === "__proto__" ? undefined : change(part);
    return changed === undefined ? [] : [[name, changed]];
  });
  return Object.fromEntries(parts);
}
