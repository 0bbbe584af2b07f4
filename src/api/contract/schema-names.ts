// The names of schemas and parameters in openapi.json, and therefore in generated clients. A name is set where
// its schema is defined. Only the OpenAPI document uses them.

import { z } from "zod";

/** The names under `#/components/schemas`. */
export const schemaNames = new Map<z.ZodType, string>();
/** The names under `#/components/parameters`: query fields that several routes share. */
export const parameterNames = new Map<z.ZodType, string>();

/**
 * Names a schema and returns it. Schemas derived from it (`extend`, `meta` …) do not inherit the
 * name.
 */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  schemaNames.set(schema, name);
  return schema;
}

/** Returns a named object schema. */
export function namedObject<S extends z.ZodRawShape>(name: string, shape: S) {
  return named(name, z.object(shape));
}

/** Names a field of a query and returns its schema. */
export function namedParameter<T extends z.ZodType>(name: string, schema: T): T {
  parameterNames.set(schema, name);
  return schema;
}
