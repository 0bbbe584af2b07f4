// Every key that an object's schema names, wherever it does: in its parts, its alternatives, its conditions.
// The schema comes from an agent: all work is bounded.

import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import type { SchemaReader } from "./read-schema.ts";

export interface NamedKeys {
  names: string[];
  /** Nothing was left out: what is not among the names is named nowhere. */
  isComplete: boolean;
  /** In some part the keys are data, such as names of variables: none of them is a typing error. */
  isMap: boolean;
}

/** Keywords that hold schemas of the same object: one, or several in a list or by name. */
const single = ["if", "then", "else"] as const;
const several = ["allOf", "anyOf", "oneOf", "dependentSchemas"] as const;

/** Parts and properties that are looked at. */
const maxSteps = 20_000;

/** The keys of the object that this is the schema of; not those of the objects in it. Never throws. */
export function namedKeys(reader: SchemaReader, schema: Json): NamedKeys {
  const names = new Set<string>();
  const found: NamedKeys = { names: [], isComplete: true, isMap: false };
  const parts = new Set<Json>([schema]);
  let left = maxSteps;
  // What is added on the way is reached too, and each but once, whatever refers to itself.
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    const own = ownNames(part);
    left -= 1 + own.length;
    if (left < 0) {
      found.isComplete = false;
      break;
    }
    for (const name of own) names.add(name);
    found.isMap ||= isMap(part);
    for (const inner of partsOf(part)) parts.add(inner);
    if (part.$ref === undefined) continue;
    const target = typeof part.$ref === "string" ? reader.at(part.$ref) : undefined;
    if (target === undefined) found.isComplete = false;
    else parts.add(target);
  }
  found.names = [...names];
  return found;
}

function ownNames({ properties, required }: JsonObject): string[] {
  return [
    ...(isJsonObject(properties) ? Object.keys(properties) : []),
    ...(Array.isArray(required) ? required.map(String) : []),
  ];
}

function partsOf(schema: JsonObject): Json[] {
  const inner = several.flatMap((keyword): Json[] => Object.values(schema[keyword] ?? {}));
  return [...inner, ...single.map((keyword) => schema[keyword] ?? true)];
}

function isMap({ additionalProperties, patternProperties }: JsonObject): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}
