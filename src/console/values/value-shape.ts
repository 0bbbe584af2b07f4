// Chooses how to show a value from an agent. A list of objects is shown as a table, an object of
// simple values as a list of names and values, a text as it is, and anything else as JSON.

import { isJsonObject, isScalar, type Json, type JsonObject } from "../../domain/payload/json.ts";

export type Scalar = null | boolean | number | string;

export type Shape =
  | { kind: "nothing" }
  | { kind: "text"; text: string }
  | { kind: "scalar"; value: Scalar }
  | { kind: "scalars"; items: Scalar[] }
  | { kind: "table"; columns: string[]; rows: JsonObject[] }
  /** `facts` are the object's simple values. `parts` are its other values, one level deep. */
  | { kind: "object"; facts: [name: string, value: Scalar][]; parts: [name: string, Shape][] }
  | { kind: "json"; value: Json };

const maxColumns = 20;
const maxListed = 200;

export function shapeOf(value: Json | undefined): Shape {
  return shapeAt(value, 0);
}

function shapeAt(value: Json | undefined, depth: number): Shape {
  if (value === undefined || value === null || value === "") return { kind: "nothing" };
  if (typeof value === "string") return { kind: "text", text: value };
  if (isScalar(value)) return { kind: "scalar", value };
  if (Array.isArray(value)) return shapeOfList(value);
  return depth > 0 && !Object.values(value).every(isScalar)
    ? { kind: "json", value }
    : shapeOfObject(value, depth);
}

function shapeOfList(list: Json[]): Shape {
  if (list.length > 0 && list.every(isScalar)) {
    return list.length <= maxListed
      ? { kind: "scalars", items: list }
      : { kind: "json", value: list };
  }
  if (list.length === 0 || !list.every(isJsonObject)) return { kind: "json", value: list };
  const columns = new Set<string>();
  for (const row of list) for (const name of Object.keys(row)) columns.add(name);
  return columns.size > 0 && columns.size <= maxColumns
    ? { kind: "table", columns: [...columns], rows: list }
    : { kind: "json", value: list };
}

function shapeOfObject(object: JsonObject, depth: number): Shape {
  const entries = Object.entries(object);
  if (entries.length === 0 || entries.length > maxListed) return { kind: "json", value: object };
  const facts: [string, Scalar][] = [];
  const parts: [string, Shape][] = [];
  for (const [name, value] of entries) {
    if (!isScalar(value)) parts.push([name, shapeAt(value, depth + 1)]);
    else if (typeof value === "string" && isLong(value))
      parts.push([name, { kind: "text", text: value }]);
    else facts.push([name, value]);
  }
  return { kind: "object", facts, parts };
}

function isLong(text: string): boolean {
  return text.length > 200 || text.includes("\n");
}
