// Converts the schemas of routes to JSON Schema. Named schemas become components.

import { z } from "zod";
import type { JsonObject } from "../../domain/payload/json.ts";
import { type Components, refTo } from "./openapi-components.ts";
import type { RouteSpec } from "./route.ts";
import { schemaNames } from "./schema-names.ts";

export interface RouteSchemas {
  params?: JsonObject;
  query?: JsonObject;
  body?: JsonObject;
  reply: JsonObject;
}

/** Returns the schemas by route name, and adds named schemas to the components. */
export function schemasOf(
  routes: Record<string, RouteSpec>,
  components: Components,
): Record<string, RouteSchemas> {
  const specs = Object.entries(routes);
  const inputs = convert(
    "input",
    specs.map(([name, { params, query, body }]) => [name, { params, query, body }]),
    components,
  );
  const replies = convert(
    "output",
    specs.map(([name, { reply }]) => [name, { reply }]),
    components,
  );
  const all = specs.map(([name]) => [name, { ...inputs[name], ...replies[name] }]);
  return Object.fromEntries(all) as Record<string, RouteSchemas>;
}

type Parts = Record<string, z.ZodType | undefined>;

function convert(io: "input" | "output", routes: [name: string, parts: Parts][], to: Components) {
  const registry = z.registry<{ id: string }>();
  for (const [schema, name] of schemaNames) registry.add(schema, { id: name });
  for (const [name, parts] of routes) {
    const present = Object.entries(parts).filter(([, part]) => part);
    registry.add(z.object(Object.fromEntries(present) as z.ZodRawShape), { id: `route ${name}` });
  }
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (name) => refTo("schemas", name).$ref,
    unrepresentable: "any",
    // Clients must accept fields that a later version adds.
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  const parts = routes.map(([name]) => [name, schemas[`route ${name}`]?.properties ?? {}]);
  for (const name of namesIn(parts, schemas)) {
    const { $schema: _dialect, $id: _id, ...schema } = schemas[name] as JsonObject;
    to.add("schemas", name, schema);
  }
  return Object.fromEntries(parts) as Record<string, Record<string, JsonObject>>;
}

/** Returns the schemas that a value refers to, directly or through named schemas. */
function namesIn(value: unknown, schemas: Record<string, unknown>): Set<string> {
  const names = new Set<string>();
  const pending = [value];
  while (pending.length > 0) {
    const text = JSON.stringify(pending.pop());
    for (const [, name = ""] of text.matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)) {
      if (names.has(name)) continue;
      names.add(name);
      pending.push(schemas[name]);
    }
  }
  return names;
}
