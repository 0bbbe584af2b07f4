// Makes src/api/contract/plain-routes.ts, so that simple commands can call a database without loading
// the schemas.

import { join } from "node:path";
import { z } from "zod";
import type { PlainField, PlainFields, PlainRoute } from "../src/api/contract/plain-input.ts";
import type { RouteSpec } from "../src/api/contract/route.ts";
import { routes } from "../src/api/index.ts";
import { formatted } from "./formatted.ts";

export const plainRoutesFile = join(import.meta.dirname, "../src/api/contract/plain-routes.ts");

const head = `// The routes whose input is simple, as data. Written by scripts/write-plain-routes.ts from src/api: do
// not edit.

import type { RouteName } from "../index.ts";
import type { PlainRoute } from "./plain-input.ts";

`;

export function plainRoutesText(): string {
  const plain = Object.entries<RouteSpec>(routes).flatMap(([name, spec]) => {
    const route = plainRouteOf(spec);
    return route ? [[name, route]] : [];
  });
  const table = JSON.stringify(Object.fromEntries(plain));
  return formatted(
    plainRoutesFile,
    `${head}export const plainRoutes: Partial<Record<RouteName, PlainRoute>> = ${table};\n`,
  );
}

/** Routes for programs, and those with special responses, always use their schemas. */
function plainRouteOf(spec: RouteSpec): PlainRoute | null {
  const { method, access, paginated, bus, metrics, raw, status } = spec;
  const isSpecial = spec.body || spec.produces || spec.websocket || spec.idempotent || spec.fixed;
  if (isSpecial || !["owner", "operator", "viewer"].includes(access)) return null;
  const params = spec.params && fieldsOf(spec.params);
  const query = spec.query && fieldsOf(spec.query);
  if (params === null || query === null) return null;
  if (!Object.values(spec.query?.shape ?? {}).every(isOptional)) return null;
  const kept = { method, access, paginated, bus, metrics, raw, status };
  return { spec: kept, params, query } as PlainRoute;
}

function isOptional(schema: z.core.$ZodType): boolean {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
}

/** Returns null if a field that is not plain cannot be left out. */
function fieldsOf({ shape, def }: z.ZodObject): PlainFields | null {
  // The only rule about several fields at once is that long lists limit how far pages reach.
  const isLong = "before" in shape;
  if (def.checks && def.checks.length > 0 && !isLong) return null;
  const fields: Record<string, PlainField> = {};
  for (const [name, schema] of Object.entries(shape)) {
    const field = plainFieldOf(schema);
    if (field) fields[name] = isLong && name === "page" ? { ...field, ...firstPage } : field;
    else if (!(schema instanceof z.ZodOptional)) return null;
  }
  return fields;
}

const firstPage = { max: 1 };

function plainFieldOf(schema: z.core.$ZodType): PlainField | null {
  if (schema instanceof z.ZodOptional) return plainFieldOf(schema.def.innerType);
  if (schema instanceof z.ZodDefault) {
    const field = plainFieldOf(schema.def.innerType);
    if (field?.kind !== "number") return null;
    return { ...field, default: schema.def.defaultValue as number };
  }
  // The first part of a pipe splits text, or converts digits; the second checks the result.
  if (schema instanceof z.ZodPipe) return pipedFieldOf(schema.def.out);
  if (schema instanceof z.ZodEnum && hasOnly([], schema)) {
    return { kind: "word", words: schema.options as string[] };
  }
  if (schema instanceof z.ZodString && hasOnly(["min_length", "max_length"], schema)) {
    const { minLength, maxLength } = schema;
    return maxLength === null ? null : { kind: "text", min: minLength ?? 0, max: maxLength };
  }
  return null;
}

function pipedFieldOf(schema: z.core.$ZodType): PlainField | null {
  if (schema instanceof z.ZodArray && hasOnly(["min_length"], schema)) {
    const field = plainFieldOf(schema.def.element);
    return field?.kind === "word" ? { ...field, kind: "words" } : null;
  }
  const bounds = ["number_format", "greater_than", "less_than"];
  if (!(schema instanceof z.ZodNumber) || !hasOnly(bounds, schema)) return null;
  return { kind: "number", min: schema.minValue as number, max: schema.maxValue as number };
}

function hasOnly(known: readonly string[], { def }: z.ZodType): boolean {
  return (def.checks ?? []).every(({ _zod }) => known.includes(_zod.def.check));
}
