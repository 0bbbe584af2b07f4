// What forms in a terminal and in a browser share. The schema comes from an agent and is not
// trusted.

import { lookUp, parsePointerFragment } from "../../lib/json/json-pointer.ts";
import type { Json, JsonObject } from "./json.ts";

export const formLimits = {
  fields: 400,
  /** Deeper objects and lists are entered as JSON. */
  depth: 8,
  /** A field with more choices accepts any text. */
  choices: 500,
} as const;

/** Returns undefined if the target is not in the schema. */
export function schemaAt(schema: JsonObject, reference: string): Json | undefined {
  const found = lookUp(schema, parsePointerFragment(reference));
  return found.found ? (found.value as Json) : undefined;
}
