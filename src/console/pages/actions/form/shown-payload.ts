// A payload as it may be shown while it is confirmed: without what the schema says is secret.

import { isJsonObject, type Json, type JsonObject } from "../../../../domain/payload/json.ts";
import { isMarkedSecret } from "../../../../domain/payload/schema-form.ts";

const hidden = "••••••";

export function shownPayload(value: Json, schema: Json | undefined): Json {
  if (!isJsonObject(schema)) return value;
  if (isMarkedSecret(schema)) return value === "" ? value : hidden;
  const parts = [schema, ...choicesOf(schema)];
  if (Array.isArray(value)) {
    return value.map((item) => parts.reduce((now, { items }) => shownPayload(now, items), item));
  }
  if (!isJsonObject(value)) return value;
  const shown: JsonObject = {};
  for (const [name, item] of Object.entries(value)) {
    shown[name] = parts.reduce<Json>((now, part) => {
      const properties = isJsonObject(part.properties) ? part.properties : {};
      const of = Object.hasOwn(properties, name) ? properties[name] : part.additionalProperties;
      return shownPayload(now, of);
    }, item);
  }
  return shown;
}

function choicesOf(schema: JsonObject): JsonObject[] {
  return ["oneOf", "anyOf", "allOf"]
    .flatMap((keyword) => schema[keyword] ?? [])
    .concat(schema.then ?? [], schema.else ?? [])
    .filter(isJsonObject);
}
