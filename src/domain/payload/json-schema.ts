// Builds a payload from the defaults in a JSON Schema.

import { jsonMaxDepth } from "../limits.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

export function defaultsOf(schema: JsonObject): JsonObject {
  const value = build(schema, 0);
  return isJsonObject(value) ? value : {};
}

function build(schema: Json | undefined, depth: number): Json | undefined {
  if (!isJsonObject(schema) || depth > jsonMaxDepth) return undefined;
  if (schema.default !== undefined) return schema.default;
  if (!isJsonObject(schema.properties)) return undefined;
  const value: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const part = build(property, depth + 1);
    if (part !== undefined) value[name] = part;
  }
  const isNested = depth > 0 && Object.keys(value).length === 0;
  return isNested ? undefined : value;
}
