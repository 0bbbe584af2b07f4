// The names of schemas and parameters in openapi.json, and therefore in generated clients. A name is set where
// its schema is defined. Only the OpenAPI document uses them.

import { z } from "zod";

/** Under `#/components/schemas`. */
export const schemaNames = new Map<z.ZodType, string>();
/** Query fields that several routes share, under `#/components/parameters`. */
export const parameterNames = new Map<z.ZodType, string>();

/** Names a schema and returns it. Variants of it (`extend`, `meta` …) do not have the name. */
export function named<T extends z.ZodType>(name: string, schema: T): T {
  schemaNames.set(schema, name);
  return schema;
}

/** A named object. */
export function namedObject<S extends z.ZodRawShape>(name: string, shape: S) {
  return named(name, z.object(shape));
}

/** Names a field of a query and returns its schema. */
export function namedParameter<T extends z.ZodType>(name: string, schema: T): T {
  parameterNames.set(schema, name);
  return schema;
}
