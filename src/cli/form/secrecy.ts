// What of a schema is secret: marked so, or named like one. Schemas come from agents: all work is bounded.

import { isJsonObject, type Json, type JsonObject } from "../../domain/payload/json.ts";
import { looksSecret } from "../../domain/payload/redaction.ts";
import { isMarkedSecret } from "../../domain/payload/schema-form.ts";
import type { SchemaReader } from "./read-schema.ts";

export const stars = "********";

/** By the name of a field, or by what its schema says. */
export function isSecret(key: string, keywords: JsonObject): boolean {
  // "Reset the password?" is answered with no secret.
  return isMarkedSecret(keywords) || (keywords.type !== "boolean" && looksSecret(key));
}

/** Nodes of one action's schema that are looked at. */
const maxSteps = 20_000;

/** Looks for secrets in schemas that are taken as a whole. */
export class SecretFinder {
  readonly #reader: SchemaReader;
  #left = maxSteps;

  constructor(reader: SchemaReader) {
    this.#reader = reader;
  }

  /** Whether there is one anywhere in the schema; true also when that would take too long to know. */
  isWithin(schema: Json | undefined): boolean {
    const seen = new Set<Json>();
    const open = [schema];
    while (open.length > 0) {
      const node = open.pop();
      if (typeof node !== "object" || node === null || seen.has(node)) continue;
      if (--this.#left < 0) return true;
      seen.add(node);
      if (isJsonObject(node)) {
        if (isMarkedSecret(node) || hasSecretProperty(node)) return true;
        if (typeof node.$ref === "string") open.push(this.#reader.at(node.$ref));
      }
      for (const part of Object.values(node)) open.push(part);
    }
    return false;
  }
}

function hasSecretProperty({ properties }: JsonObject): boolean {
  if (!isJsonObject(properties)) return false;
  return Object.entries(properties).some(
    ([key, schema]) => looksSecret(key) && !(isJsonObject(schema) && schema.type === "boolean"),
  );
}
