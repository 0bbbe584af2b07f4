// The names that schemas and parameters have in openapi.json, and so in generated clients. Each is given
// where the schema is defined. Nothing but the OpenAPI document reads them.

import { z } from "zod";

/** Under `#/components/schemas`. */
export const schemaNames = new Map<z.ZodType, string>();
/** Fields of a query that are the same in several routes, under `#/components/parameters`. */
export const parameterNames = new Map<z.ZodType, string>();

/** Names a schema and returns it. Variants made from it (`extend`, `meta` …) do not have the name. */
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
