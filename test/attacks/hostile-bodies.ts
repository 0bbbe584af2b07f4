// Creates malicious bodies: each fills one place in a route's schema up to the size limit, with
// content that is cheap to send and expensive to process.

import { z } from "zod";
import type { RouteSpec } from "../../src/api/contract/route.ts";
import { bodyLimitBytes } from "../../src/domain/limits.ts";

/** Returns JSON that fills this many bytes. */
type Filling = (bytes: number) => unknown;

const repeated = (bytes: number, each: number) => Math.max(1, Math.floor(bytes / each));
const listOf = (bytes: number, text: string) =>
  JSON.parse(`[${`${text},`.repeat(repeated(bytes, text.length + 1)).slice(0, -1)}]`);

const fillings: Record<string, Filling> = {
  "wide object": (bytes) =>
    Object.fromEntries(Array.from({ length: repeated(bytes, 9) }, (_, n) => [n.toString(36), 0])),
  "wide object of text": (bytes) =>
    Object.fromEntries(
      Array.from({ length: repeated(bytes, 14) }, (_, n) => [`k${n.toString(36)}`, "é"]),
    ),
  numbers: (bytes) => listOf(bytes, "0"),
  "empty objects": (bytes) => listOf(bytes, "{}"),
  "small strings": (bytes) => listOf(bytes, '""'),
  "strings with a dot": (bytes) => listOf(bytes, '"a.b"'),
  "deep arrays": (bytes) => listOf(bytes, `${"[".repeat(24)}${"]".repeat(24)}`),
  "objects with a key": (bytes) => listOf(bytes, '{"a":1}'),
  "objects of many shapes": (bytes) =>
    Array.from({ length: repeated(bytes, 14) }, (_, n) => ({ [`k${n.toString(36)}`]: 0 })),
  "one long string": (bytes) => "é".repeat(bytes / 2),
  "one long secret": (bytes) => "platform_key_".repeat(bytes / 13),
};

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  pattern?: string;
  enum?: unknown[];
  const?: unknown;
  format?: string;
  minimum?: number;
}

export interface HostileBody {
  name: string;
  text: string;
}

/** Generates a route's hostile bodies. */
export function* hostileBodies(spec: RouteSpec): Generator<HostileBody> {
  if (!spec.body) return;
  const schema = z.toJSONSchema(spec.body, { io: "input", unrepresentable: "any" }) as Schema;
  const limit = spec.bodyLimit ?? bodyLimitBytes.default;
  const bytes = (limit === "commandResult" ? 1_000_000 : limit) - 600;
  for (const { path, around, times } of placesIn(schema, (value) => value)) {
    const room = bytes - JSON.stringify(around(0)).length;
    for (const [name, fill] of Object.entries(fillings)) {
      const text = JSON.stringify(around(fill(Math.floor(room / times))));
      yield { name: `${path}: ${name}`, text };
    }
  }
}

interface Place {
  path: string;
  around: (value: unknown) => unknown;
  times: number;
}

const itemsAround = 8;

function placesIn(schema: Schema, around: Place["around"], path = "body", times = 1): Place[] {
  const { properties = {}, items, additionalProperties: more } = schema;
  const siblings = minimal(schema) as object;
  const inside = Object.entries(properties).flatMap(([name, property]) => {
    const within = (value: unknown) => around({ ...siblings, [name]: value });
    return placesIn(property, within, `${path}.${name}`, times);
  });
  if (items) {
    // The items have different codes or names, because validation stops at a duplicate.
    const each = (value: unknown) =>
      around(Array.from({ length: itemsAround }, (_, n) => numbered(value, n)));
    inside.push(...placesIn(items, each, `${path}[]`, times * itemsAround));
  }
  if (typeof more === "object" && Object.keys(more).length > 0) {
    inside.push(...placesIn(more, (value) => around({ a: value }), `${path}.*`, times));
  }
  for (const either of schema.anyOf ?? []) inside.push(...placesIn(either, around, path, times));
  return [{ path, around, times }, ...inside];
}

function numbered(value: unknown, n: number): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const copy: Record<string, unknown> = { ...value };
  for (const key of ["code", "name", "key"]) if (copy[key] === "a") copy[key] = `a${n}`;
  return copy;
}

function minimal(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) return minimal(schema.anyOf[0] ?? {});
  switch (schema.type) {
    case "object": {
      const required = schema.required ?? [];
      return Object.fromEntries(
        required.map((name) => [name, minimal(schema.properties?.[name] ?? {})]),
      );
    }
    case "array":
      return [];
    case "string":
      return schema.format === "date-time" ? "2026-01-02T03:04:05.678Z" : "a";
    case "integer":
    case "number":
      return Math.max(1, schema.minimum ?? 1);
    case "boolean":
      return true;
    default:
      return 1;
  }
}
