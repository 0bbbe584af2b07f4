// A payload from the command line: JSON, a file, standard input, and single fields over it.

import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../domain/json.ts";
import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";

/** `--payload JSON|@file|-`. Throws a usage error when it is not a JSON object. */
export async function readPayload(io: Io, source: string): Promise<JsonObject> {
  const text = await textFrom(io, "--payload", source);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw usageError(`--payload is not JSON: ${(error as Error).message}`);
  }
  if (isObject(value as Json)) return value as JsonObject;
  throw usageError('--payload must be a JSON object, such as \'{"level":"debug"}\'.');
}

/** The text of `JSON|@file|-`, given with `flag`. Throws a usage error when a file cannot be read. */
export async function textFrom(io: Io, flag: string, source: string): Promise<string> {
  if (source === "-") return io.readStdin();
  if (!source.startsWith("@")) return source;
  try {
    return readFileSync(source.slice(1), "utf8");
  } catch (error) {
    throw usageError(`cannot read ${flag} ${source}: ${(error as Error).message}`);
  }
}

/**
 * `--set a.b=value`, one after the other. A value is read as JSON where it is JSON (`3`, `true`,
 * `"3"`), else as text; a field that the schema says is a string stays one.
 */
export function applySettings(
  payload: JsonObject,
  settings: string[],
  schema: JsonObject = {},
): JsonObject {
  const copy = structuredClone(payload);
  for (const setting of settings) {
    const equals = setting.indexOf("=");
    if (equals < 1) throw usageError(`--set must be key=value, not ${setting}.`);
    const path = setting.slice(0, equals).split(".");
    place(copy, path, readValue(setting.slice(equals + 1), schemaAt(schema, path)));
  }
  return copy;
}

function place(target: JsonObject, path: string[], value: Json): void {
  const [key = "", ...rest] = path;
  if (key === "__proto__") throw usageError("--set cannot name __proto__.");
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const next: JsonObject = isObject(inner) ? inner : {};
  target[key] = next;
  place(next, rest, value);
}

function readValue(text: string, schema: JsonObject): Json {
  if (schema.type === "string") return text;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function schemaAt(schema: JsonObject, path: string[]): JsonObject {
  let at: Json | undefined = schema;
  for (const key of path) {
    const properties: Json | undefined = isObject(at) ? at.properties : undefined;
    at = isObject(properties) ? properties[key] : undefined;
  }
  return isObject(at) ? at : {};
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
