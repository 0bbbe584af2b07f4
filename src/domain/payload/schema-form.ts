// What forms in a terminal and forms in a browser share: how much of an action's schema becomes a
// form, and the schema's references and secret fields. The schema comes from an agent and is not
// trusted.

import { lookUp, parsePointerFragment } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "./json.ts";

export const formLimits = {
  fields: 400,
  /** The maximum depth of a form. Deeper objects and lists are entered as JSON. */
  depth: 8,
  /** The maximum number of choices. A field with more choices accepts any text. */
  choices: 500,
} as const;

/** Returns the target of a reference; undefined if the target is not in the schema. */
export function schemaAt(schema: JsonObject, reference: string): Json | undefined {
  const found = lookUp(schema, parsePointerFragment(reference));
  return found.found ? (found.value as Json) : undefined;
}

/** Whether the schema of a field says that its value must not be shown. */
export function isMarkedSecret({ writeOnly, format }: JsonObject): boolean {
  return writeOnly === true || format === "password";
}
