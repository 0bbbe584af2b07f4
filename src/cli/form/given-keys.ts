// Whether the keys of `--set` are ones that the action has: a mistyped one would be sent as it is, and the
// value that was meant would quietly stay as it was.

import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { nearest } from "../../lib/nearest.ts";
import { unfit } from "./fill-in.ts";
import { pathLine } from "./lines.ts";
import { namedKeys } from "./named-keys.ts";
import type { Path } from "./places.ts";
import { ownValue, SchemaReader } from "./read-schema.ts";

/**
 * Answers the paths that the schema says nothing of, for a warning. Throws a usage error for a key that an
 * object cannot have, and for one that looks like one of its own mistyped, unless the schema says that other
 * keys are welcome. What is in `payload` already is known, and so is everything in an object that takes
 * any key.
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
    const container = at;
    const { keywords, mixed } = reader.read(container);
    const isThere = ownValue(there, key) !== undefined;
    there = ownValue(there, key);
    at = keywords.type === "array" ? keywords.items : ownValue(keywords.properties, key);
    if (at !== undefined || isThere) continue;
    if (mixed || container === undefined) return null;
    const { names, isComplete, isMap } = namedKeys(reader, container);
    if (!isComplete || isMap || names.length === 0 || names.includes(key)) return null;
    return judged(path.slice(0, depth + 1), keywords, names);
  }
  return null;
}

/**
 * For a key that none of the names is: the place, for a warning, or null where there is nothing to warn of.
 * Throws where it cannot be meant.
 */
function judged(place: Path, keywords: JsonObject, names: string[]): Path | null {
  const { additionalProperties, unevaluatedProperties } = keywords;
  const isClosed = additionalProperties === false || unevaluatedProperties === false;
  const isOpen = additionalProperties === true;
  const meant = nearest(place.at(-1) ?? "", names);
  if (isClosed || (meant !== null && !isOpen)) throw mistyped(place, names, meant, isClosed);
  return isOpen && meant === null ? null : place;
}

function mistyped(place: Path, names: string[], meant: string | null, isClosed: boolean): Error {
  const path = pathLine(place);
  const hint =
    meant === null
      ? `; there are: ${listed(names)}.`
      : `; did you mean ${pathLine([...place.slice(0, -1), meant])}?`;
  // Who does mean it can say so.
  const anyway = isClosed ? "" : " If not, give the whole payload with --payload.";
  const message = `there is no field ${path}${hint}`;
  return unfit(`--set ${path}: ${message}${anyway}`, [{ path: place.join("."), message }]);
}

const maxNamed = 10;

function listed(names: readonly string[]): string {
  const more = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : "";
  const shown = names.slice(0, maxNamed).map((name) => pathLine([name]));
  return shown.join(", ") + more;
}
