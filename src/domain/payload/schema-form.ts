// What forms in a terminal and in a browser have in common: how much of an action's schema becomes a form, where its
// references lead, and which of its fields are secret. The schema comes from an agent and is not trusted.

import { lookUp, parsePointerFragment } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "./json.ts";

export const formLimits = {
  fields: 400,
  /** Objects and lists that lie deeper are entered as JSON. */
  depth: 8,
  /** A field with more choices than this takes any text. */
  choices: 500,
} as const;

/** The part that a reference within the schema leads to; undefined if it leads elsewhere or nowhere. */
export function schemaAt(schema: JsonObject, reference: string): Json | undefined {
  const found = lookUp(schema, parsePointerFragment(reference));
  return found.found ? (found.value as Json) : undefined;
}

/** Whether the schema of a field says that its value is not to be shown. */
export function isMarkedSecret({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === "password";
}
