// Checks an inputSchema for parts that the validator cannot use or would silently ignore.

import { inputSchemaMaxBytes, jsonMaxDepth } from "../../../domain/limits.ts";
import { findIssues } from "../../../domain/payload/check.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import type { Finding } from "./config-problems.ts";

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];

export function findingsInSchema(schema: JsonObject): Finding[] {
  if (Buffer.byteLength(JSON.stringify(schema)) > inputSchemaMaxBytes) {
    return [{ path: [], message: `must be at most ${inputSchemaMaxBytes / 1024} KiB` }];
  }
  const found = [...findingsOfRoot(schema), ...findingsIn(schema, [])];
  if (found.length > 0) return found;
  const { usable, issues } = findIssues({}, schema);
  return usable ? [] : [{ path: [], message: issues[0]?.message ?? "is unusable" }];
}

function findingsOfRoot({ type }: JsonObject): Finding[] {
  const isObject = type === undefined || type === "object" || [type].flat().includes("object");
  return isObject
    ? []
    : [{ path: ["type"], message: "must be object, because payloads are objects" }];
}

function findingsIn(schema: unknown, path: PropertyKey[]): Finding[] {
  if (path.length > jsonMaxDepth) return [{ path: [], message: "is nested too deeply" }];
  if (!isJsonObject(schema)) return [];
  const { type, pattern, required, properties, items, enumLabels, placeholder } = schema;
  const found: Finding[] = [];
  const check = (keyword: string, isGood: boolean, message: string) => {
    if (!isGood) found.push({ path: [...path, keyword], message });
  };
  const named = type === undefined ? [] : [type].flat();
  check(
    "type",
    named.every((one) => types.includes(String(one))),
    `must be one of ${types.join(", ")}`,
  );
  check("pattern", pattern === undefined || isPattern(pattern), "must be a regular expression");
  check("enumLabels", enumLabels === undefined || isLabels(enumLabels, schema.enum), labelRule);
  check("placeholder", typeof (placeholder ?? "") === "string", "must be text");
  check("required", required === undefined || isListOfTexts(required), "must be a list of names");
  check(
    "properties",
    properties === undefined || isJsonObject(properties),
    "must map names to schemas",
  );
  for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {})) {
    found.push(...findingsIn(inner, [...path, "properties", name]));
  }
  return [...found, ...findingsIn(items, [...path, "items"])];
}

const labelRule = "must have a text for each value of enum, in the same order";

function isLabels(labels: unknown, values: unknown): boolean {
  return isListOfTexts(labels) && Array.isArray(values) && labels.length === values.length;
}

function isPattern(text: unknown): boolean {
  if (typeof text !== "string") return false;
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
