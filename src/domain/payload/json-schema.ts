// Builds a payload from the defaults in a JSON Schema.

import { jsonMaxDepth } from "../limits.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

/** An optional object that would lack a required value is absent. */
export function defaultsOf(schema: JsonObject): JsonObject {
  const value = build(schema, 0, true);
  return isJsonObject(value) ? value : {};
}

function build(schema: Json | undefined, depth: number, isNeeded: boolean): Json | undefined {
  if (!isJsonObject(schema) || depth > jsonMaxDepth) return undefined;
  if (schema.default !== undefined) return schema.default;
  if (!isJsonObject(schema.properties)) return undefined;
  const value: JsonObject = {};
  const required = new Set(Array.isArray(schema.required) ? schema.required : []);
  for (const [name, property] of Object.entries(schema.properties)) {
    const part = build(property, depth + 1, required.has(name));
    if (part !== undefined) value[name] = part;
  }
  const lacksValue = [...required].some((name) => !Object.hasOwn(value, String(name)));
  const isAbsent = Object.keys(value).length === 0 || (!isNeeded && lacksValue);
  return depth > 0 && isAbsent ? undefined : value;
}
