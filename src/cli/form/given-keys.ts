// Whether the keys of `--set` are ones that the action has: a mistyped one would be sent as it is, and the
// value that was meant would quietly stay as it was.

import { isJsonObject, type Json, type JsonObject } from "../../domain/json.ts";
import { nearest } from "../../lib/nearest.ts";
import { unfit } from "./fill-in.ts";
import { pathLine } from "./lines.ts";
import type { Path } from "./places.ts";
import { ownValue, SchemaReader } from "./read-schema.ts";

/**
 * Answers the paths that the schema says nothing of, for a warning. Throws a usage error for a key that an
 * object cannot have, and for one that looks like one of its own mistyped. What is in `payload` already is
 * known, and so is everything in an object that takes any key.
 */
export function checkKeys(payload: JsonObject, given: readonly Path[], schema: JsonObject): Path[] {
  const reader = new SchemaReader(schema);
  const strange = new Map<string, Path>();
  for (const path of given) {
    const unknown = unknownIn(reader, payload, path, schema);
    if (unknown) strange.set(unknown.join("."), unknown);
  }
  return [...strange.values()];
}

/** As far into the path as nothing is known any more; null when all of it is, or nothing can be. */
function unknownIn(
  reader: SchemaReader,
  payload: JsonObject,
  path: Path,
  schema: JsonObject,
): Path | null {
  let at: Json | undefined = schema;
  let there: Json | undefined = payload;
  for (const [depth, key] of path.entries()) {
    const place = path.slice(0, depth + 1);
    const { keywords, mixed } = reader.read(at);
    const isThere = ownValue(there, key) !== undefined;
    there = ownValue(there, key);
    at = keywords.type === "array" ? keywords.items : ownValue(keywords.properties, key);
    if (at !== undefined || isThere) continue;
    const names = mixed ? [] : namesIn(reader, keywords);
    if (names.length === 0 || names.includes(key) || isMap(keywords)) return null;
    refuseIfMistyped(place, keywords, names);
    return keywords.additionalProperties === true ? null : place;
  }
  return null;
}

function refuseIfMistyped(place: Path, keywords: JsonObject, names: string[]): void {
  const { additionalProperties, unevaluatedProperties } = keywords;
  const isClosed = additionalProperties === false || unevaluatedProperties === false;
  const key = place.at(-1) ?? "";
  const meant = nearest(key, names);
  if (!isClosed && meant === null) return;
  const path = pathLine(place);
  const hint =
    meant === null
      ? `; there are: ${listed(names)}.`
      : `; was ${pathLine([...place.slice(0, -1), meant])} meant?`;
  // Who does mean it can say so.
  const anyway = isClosed ? "" : " If not, give the whole payload with --payload.";
  const message = `there is no field ${path}${hint}`;
  throw unfit(`--set ${path}: ${message}${anyway}`, [{ path: place.join("."), message }]);
}

const maxNamed = 10;

function listed(names: readonly string[]): string {
  const more = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : "";
  const shown = names.slice(0, maxNamed).map((name) => pathLine([name]));
  return shown.join(", ") + more;
}

/** What an object may have: in whichever of the alternatives. */
function namesIn(reader: SchemaReader, keywords: JsonObject): string[] {
  const { anyOf, oneOf, if: condition, then, else: otherwise, dependentSchemas } = keywords;
  const parts = [anyOf, oneOf, dependentSchemas].flatMap((some) => Object.values(some ?? {}));
  const places = [condition, then, otherwise, ...parts].map((part) => reader.read(part).keywords);
  const names = [keywords, ...places].flatMap(({ properties, required }) => [
    ...(isJsonObject(properties) ? Object.keys(properties) : []),
    ...(Array.isArray(required) ? required.map(String) : []),
  ]);
  return [...new Set(names)];
}

/** Its keys are data, such as names of variables: none of them is a typing error. */
function isMap({ additionalProperties, patternProperties }: JsonObject): boolean {
  return isJsonObject(additionalProperties) || isJsonObject(patternProperties);
}
