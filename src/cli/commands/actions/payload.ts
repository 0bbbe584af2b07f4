// Reads a payload from the command line: JSON, a file or standard input, and `--set` overrides.

import { type Path, putAt } from "../../../domain/form/places.ts";
import { SchemaReader } from "../../../domain/form/schema-reader.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { problemOfNumbers } from "../../../lib/json/exact-numbers.ts";
import { jsonOrUndefined } from "../../../lib/json/json-or-undefined.ts";
import { usageError } from "../../exit.ts";
import { requireOperatorsText } from "../../files/operators-text.ts";
import { keyAndValue } from "../../key-and-value.ts";
import type { Io } from "../../terminal/io.ts";

/** Throws a usage error if the value of `--payload` is not a JSON object. */
export async function readPayload(
  io: Io,
  source: string,
  signal: AbortSignal,
): Promise<JsonObject> {
  const value = exactJsonIn("--payload", await textFrom(io, "--payload", source, signal));
  if (isJsonObject(value)) return value;
  throw usageError('--payload must be a JSON object, such as \'{"level":"debug"}\'.');
}

/** Reads the text of `JSON|@file|-`. Throws a usage error, or the reason of `signal`. */
export async function textFrom(
  io: Io,
  flag: string,
  source: string,
  signal: AbortSignal,
): Promise<string> {
  if (source === "-") return io.readStdin(signal);
  if (!source.startsWith("@")) return source;
  return requireOperatorsText(flag, source.slice(1));
}

/** Throws a usage error, with this hint, if the text is not JSON. */
export function jsonIn(flag: string, text: string, hint = ""): Json {
  try {
    return JSON.parse(text) as Json;
  } catch (error) {
    throw usageError(`${flag} is not JSON${hint}: ${(error as Error).message}`);
  }
}

/** Throws a usage error as `jsonIn` does, and also if a number would be rounded. */
export function exactJsonIn(flag: string, text: string, hint?: string): Json {
  const value = jsonIn(flag, text, hint);
  requireExact(flag, value);
  return value;
}

function requireExact(flag: string, value: Json): void {
  const problem = problemOfNumbers(value);
  if (problem !== null) throw usageError(`${flag}: ${problem}.`);
}

export interface Setting {
  path: Path;
  text: string;
}

/** Parses `--set a.b=value`. Throws a usage error for invalid syntax. */
export function readSettings(settings: readonly string[]): Setting[] {
  return settings.map((setting) => {
    const [key, text] = keyAndValue(setting, "--set must be key=value");
    const path = key.split(".");
    if (path.includes("__proto__")) throw usageError("--set cannot name __proto__.");
    return { path, text };
  });
}

/**
 * Parses a value as JSON if it is valid JSON and the schema does not declare a string. `list.0` is
 * the first item of a list. Throws a usage error for an impossible path or an inexact number.
 */
export function applySettings(
  payload: JsonObject,
  settings: readonly Setting[],
  schema: JsonObject,
): JsonObject {
  const copy = structuredClone(payload);
  const reader = new SchemaReader(schema);
  for (const { path, text } of settings) {
    const { keywords, nullable } = reader.readAt(path);
    const isText = keywords.type === "string" && !(nullable && text === "null");
    const json = isText ? undefined : (jsonOrUndefined(text) as Json | undefined);
    const value = json === undefined ? text : json;
    requireExact(`--set ${path.join(".")}`, value);
    try {
      putAt(copy, path, value, (place) => reader.readAt(place).keywords.type === "array");
    } catch (error) {
      if (error instanceof RangeError) throw usageError(`--set ${error.message}.`);
      throw error;
    }
  }
  return copy;
}

/** Adds the settings with the types that they had in an earlier payload, without any schema. */
export function applyAsBefore(
  payload: JsonObject,
  settings: readonly Setting[],
  earlier: Json | undefined,
): JsonObject {
  return applySettings(payload, settings, schemaLike(earlier ?? {}));
}

function schemaLike(value: Json): JsonObject {
  if (typeof value === "string") return { type: "string" };
  if (Array.isArray(value)) return { type: "array", items: schemaLike(value[0] ?? null) };
  if (!isJsonObject(value)) return {};
  const fields = Object.entries(value).map(([key, field]) => [key, schemaLike(field)]);
  return { properties: Object.fromEntries(fields) };
}
