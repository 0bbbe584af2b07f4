// Checks the keys of `--set`. A mistyped key would otherwise be sent unchanged, and the intended
// field would silently keep its value.

import { isCovered, type Path } from "../../domain/form/places.ts";
import { SchemaReader } from "../../domain/form/schema-reader.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../../domain/payload/json.ts";
import { nearest } from "../../lib/nearest.ts";
import { firstNames } from "../output/first-names.ts";
import { invalidPayload } from "./fill-in.ts";
import { pathLine } from "./lines.ts";

/**
 * Returns the keys to warn about. Throws a usage error for a key that must be a mistake. With the
 * schemas of several services, a key is a mistake only if all of them refuse it. With `isPart`,
 * there are further schemas, so no key is certainly a mistake.
 */
export function checkKeys(
  payload: JsonObject,
  given: readonly Path[],
  schemas: readonly JsonObject[],
  isPart = false,
): DoubtfulKey[] {
  const readers = schemas.map((schema) => new SchemaReader(schema));
  const doubtful = new Map<string, DoubtfulKey>();
  for (const path of given) {
    const doubts = readers.map((reader) => doubtAbout(unknownIn(reader, payload, path), given));
    const [first] = doubts;
    if (!first || doubts.includes(null)) continue;
    if (!isPart && doubts.every((doubt) => doubt?.mistake)) throw first.mistake;
    doubtful.set(first.place.join("."), first);
  }
  return [...doubtful.values()];
}

export interface DoubtfulKey {
  /** The path up to the key. */
  place: Path;
  /** The path of the field that may be meant. */
  similar: Path | null;
}

interface UnknownKey {
  place: Path;
  /** The value of the object that does not have the key. */
  container: Json | undefined;
  /** The keywords of the object that does not have the key. */
  keywords: JsonObject;
  names: string[];
}

/** Returns the first unknown key of the path. Keys in `payload` count as known. */
function unknownIn(reader: SchemaReader, payload: JsonObject, path: Path): UnknownKey | null {
  let at: Json | undefined = reader.root;
  let there: Json | undefined = payload;
  for (const [depth, key] of path.entries()) {
    const container = at;
    const { keywords, mixed } = reader.read(container);
    const thereBefore = there;
    there = ownValue(there, key);
    const isThere = there !== undefined;
    at = keywords.type === "array" ? keywords.items : ownValue(keywords.properties, key);
    if (at !== undefined || isThere) continue;
    if (mixed || container === undefined) return null;
    const { names, isComplete, isMap } = namedKeys(reader, container);
    if (!isComplete || isMap || names.size === 0 || names.has(key)) return null;
    const place = path.slice(0, depth + 1);
    return { place, container: thereBefore, keywords, names: [...names] };
  }
  return null;
}

interface Doubt extends DoubtfulKey {
  /** What to throw if the key must be a mistake. */
  mistake: Error | null;
}

function doubtAbout(unknown: UnknownKey | null, given: readonly Path[]): Doubt | null {
  if (!unknown) return null;
  const { place, container, keywords, names } = unknown;
  const { additionalProperties, unevaluatedProperties, required } = keywords;
  const isClosed = additionalProperties === false || unevaluatedProperties === false;
  const isOpen = additionalProperties === true;
  const name = nearest(place.at(-1) ?? "", names);
  const similar = name === null ? null : [...place.slice(0, -1), name];
  // Without a required field, nothing would be sent.
  const isMissing =
    similar !== null &&
    Array.isArray(required) &&
    required.includes(name) &&
    ownValue(container, similar.at(-1) ?? "") === undefined &&
    !isCovered(similar, given);
  if (isClosed || (similar !== null && (!isOpen || isMissing))) {
    return { place, similar, mistake: mistyped(place, names, similar, isClosed) };
  }
  return isOpen && similar === null ? null : { place, similar, mistake: null };
}

function mistyped(place: Path, names: string[], similar: Path | null, isClosed: boolean): Error {
  const path = pathLine(place);
  const hint =
    similar === null
      ? `; the fields are: ${firstNames(
          names.map((name) => pathLine([name])),
          10,
        )}.`
      : `; did you mean ${pathLine(similar)}?`;
  const anyway = isClosed ? "" : " If not, give the whole payload with --payload.";
  const message = `there is no field ${path}${hint}`;
  return invalidPayload(`--set ${path}: ${message}${anyway}`, [{ path: place.join("."), message }]);
}

interface NamedKeys {
  names: Set<string>;
  /** Whether `names` has every name in the schema. */
  isComplete: boolean;
  /** Whether keys can be data, such as variable names. Then no key is a mistake. */
  isMap: boolean;
}

/** Keywords whose schemas apply to the same object. */
const single = ["if", "then", "else"] as const;
const several = ["allOf", "anyOf", "oneOf", "dependentSchemas"] as const;

/** The maximum number of parts and properties to look at. */
const maxSteps = 20_000;

/** Returns every key that the schema names for the object itself, not for nested objects. */
function namedKeys(reader: SchemaReader, schema: Json): NamedKeys {
  const found: NamedKeys = { names: new Set(), isComplete: true, isMap: false };
  const parts = new Set<Json>([schema]);
  let left = maxSteps;
  // The loop also visits the parts that it adds, each once, even with circular references.
  for (const part of parts) {
    if (!isJsonObject(part)) continue;
    const own = ownNames(part);
    left -= 1 + own.length;
    if (left < 0) {
      found.isComplete = false;
      break;
    }
    for (const name of own) found.names.add(name);
    found.isMap ||= isMap(part);
    for (const inner of partsOf(part)) parts.add(inner);
    if (part.$ref === undefined) continue;
    const target = typeof part.$ref === "string" ? reader.at(part.$ref) : undefined;
    if (target === undefined) found.isComplete = false;
    else parts.add(target);
  }
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
