// What is typed for the secrets of a command that is run again, as values of its payload.

import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { parsePointer } from "../../../lib/json/json-pointer.ts";

/** By JSON Pointer. */
export type Secrets = Record<string, string>;

/** What was written, as what the action's schema wants in its place: text, unless it is no text there. */
export function secretValues(secrets: Secrets, schema: Json | undefined): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(secrets).map(([place, text]) => {
      const { type } = partOf(schema, place);
      return [place, type === undefined || type === "string" ? text : jsonOrText(text)];
    }),
  );
}

function partOf(schema: Json | undefined, place: string): JsonObject {
  let at: Json | undefined = schema;
  for (const step of parsePointer(place) ?? []) {
    if (!isJsonObject(at)) break;
    at = isJsonObject(at.properties) ? at.properties[step] : at.items;
  }
  return isJsonObject(at) ? at : {};
}

/** What is no JSON is sent as it is: the server says what it wants. */
function jsonOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
