// What forms in a terminal and in a browser share: how much of an action's schema becomes a form, its references, and
// its secret fields. The schema comes from an agent and is not trusted.

import { lookUp, parsePointerFragment } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "./json.ts";

export const formLimits = {
  fields: 400,
  /** Deeper objects and lists are entered as JSON. */
  depth: 8,
  /** A field with more choices accepts any text. */
  choices: 500,
} as const;

/** The target of a reference within the schema; undefined if it has none there. */
export function schemaAt(schema: JsonObject, reference: string): Json | undefined {
  const found = lookUp(schema, parsePointerFragment(reference));
  return found.found ? (found.value as Json) : undefined;
}

/** Whether the schema of a field says that its value must not be shown. */
export function isMarkedSecret({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === "password";
}
