// What the fields of a form are called, as they stand there: an error far from its field names it.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";

/** `property`: names and numbers of items with dots between them, as the form library gives it. */
export function labelOf(property: string, schema: JsonObject): string {
  const labels: string[] = [];
  let at: Json | undefined = schema;
  for (const name of property.split(".").filter((part) => part !== "")) {
    const part = partOf(at, name);
    const title = isJsonObject(part) && typeof part.title === "string" ? part.title : null;
    const list = /^\d+$/.test(name) ? labels.pop() : undefined;
    labels.push(list === undefined ? (title ?? name) : `${list}-${Number(name) + 1}`);
    at = part;
  }
  return labels.join(", ");
}

/** The schema of a field, or of any item; undefined where it is behind a choice. */
function partOf(schema: Json | undefined, name: string): Json | undefined {
  if (!isJsonObject(schema)) return undefined;
  const { properties, items } = schema;
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return properties[name];
  return isJsonObject(items) ? items : undefined;
}
