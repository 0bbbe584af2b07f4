// Finds fields that a schema does not know. Schemas of requests ignore them, but in a file they are
// usually mistyped.

import { z } from "zod";
import type { Issue } from "../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../domain/payload/json.ts";
import { suggestion } from "../../lib/nearest.ts";

/** Returns a function that finds unknown fields. It ignores top-level fields in `ignored`. */
export function unknownFieldsOf(schema: z.ZodType, ignored: readonly string[]) {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as JsonObject;
  return (value: JsonObject): Issue[] => {
    const known = Object.entries(value).filter(([name]) => !ignored.includes(name));
    return unknownIn(root, Object.fromEntries(known), []);
  };
}

function unknownIn(schema: JsonObject, value: unknown, path: readonly string[]): Issue[] {
  const branches = branchesOf(schema);
  if (Array.isArray(value)) {
    const items = branches.flatMap(({ items }) => (isJsonObject(items) ? [items] : []));
    const [item] = items;
    return item ? value.flatMap((one, at) => unknownIn(item, one, [...path, `${at}`])) : [];
  }
  if (!isJsonObject(value) || branches.some(isOpen)) return [];
  const fields = Object.assign({}, ...branches.map(({ properties }) => properties)) as JsonObject;
  const names = Object.keys(fields);
  if (names.length === 0) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (isJsonObject(field)) return unknownIn(field, inner, [...path, name]);
    const message = `there is no field ${name}; ${suggestion(name, "fields", names)}`;
    return [{ path: [...path, name].join("."), message }];
  });
}

/** Returns the alternatives of a schema. A field is known if any of them has it. */
function branchesOf(schema: JsonObject): JsonObject[] {
  const several = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  return Array.isArray(several) ? (several as JsonObject[]).flatMap(branchesOf) : [schema];
}

/** Whether an object can have any fields. */
function isOpen({ type, properties, additionalProperties }: JsonObject): boolean {
  if (additionalProperties !== undefined && additionalProperties !== false) return true;
  return properties === undefined && (type === undefined || type === "object");
}
