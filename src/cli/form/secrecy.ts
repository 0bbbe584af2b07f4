// Finds secrets in a schema. Limits the work, because agents can send any schema.

import type { SchemaReader } from "../../domain/form/schema-reader.ts";
import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { isMarkedSecret, isSecret } from "../../domain/secrecy.ts";

/** The maximum number of nodes per schema. */
const maxSteps = 20_000;

/** The returned function returns true if finding out would take too long. */
export function secretFinder(reader: SchemaReader): (schema: Json | undefined) => boolean {
  let left = maxSteps;
  return (schema) => {
    const seen = new Set<Json>();
    const open = [schema];
    while (open.length > 0) {
      const node = open.pop();
      if (typeof node !== "object" || node === null || seen.has(node)) continue;
      if (--left < 0) return true;
      seen.add(node);
      if (isJsonObject(node)) {
        if (isMarkedSecret(node) || hasSecretProperty(node)) return true;
        if (typeof node.$ref === "string") open.push(reader.at(node.$ref));
      }
      for (const part of Object.values(node)) open.push(part);
    }
    return false;
  };
}

function hasSecretProperty({ properties }: JsonObject): boolean {
  if (!isJsonObject(properties)) return false;
  return Object.entries(properties).some(([name, schema]) => isSecret({ name, schema }));
}
