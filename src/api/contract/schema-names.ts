// The names of schemas and parameters in openapi.json, and therefore in generated clients.

import { z } from "zod";

/** The names under `#/components/schemas`. */
export const schemaNames = new Map<z.ZodType, string>();
/** The names under `#/components/parameters`: query fields that several routes share. */
export const parameterNames = new Map<z.ZodType, string>();

/** Schemas derived from the named one (`extend`, `meta` …) do not inherit the name. */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  schemaNames.set(schema, name);
  return schema;
}

export function namedObject<S extends z.ZodRawShape>(name: string, shape: S) {
  return named(name, z.object(shape));
}

export function namedParameter<T extends z.ZodType>(name: string, schema: T): T {
  parameterNames.set(schema, name);
  return schema;
}
