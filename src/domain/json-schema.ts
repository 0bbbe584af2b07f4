// JSON Schema as far as the rules need it: the payload that a schema's defaults make.
// (`service.md` "Action catalog entry": inputSchema)

import type { Json, JsonObject } from "./json.ts";
import { jsonMaxDepth } from "./limits.ts";

/** The payload that the `default`s of a schema add up to; a payload is always an object. */
export function defaultsOf(schema: JsonObject): JsonObject {
  const value = build(schema, 0);
  return isObject(value) ? value : {};
}

function build(schema: Json | undefined, depth: number): Json | undefined {
  if (!isObject(schema) || depth > jsonMaxDepth) return undefined;
  if (schema.default !== undefined) return schema.default;
  if (!isObject(schema.properties)) return undefined;
  const value: JsonObject = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const part = build(property, depth + 1);
    if (part !== undefined) value[name] = part;
  }
  const isNested = depth > 0 && Object.keys(value).length === 0;
  return isNested ? undefined : value;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
