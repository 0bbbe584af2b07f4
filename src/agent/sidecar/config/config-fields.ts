// The fields that agent.yaml may have, read from its schema: for suggestions, and for whoever must name
// them all.

import { z } from "zod";
import { sidecarConfig } from "./config.ts";

type Schema = z.core.JSONSchema.JSONSchema;

let whole: Schema | null = null;

/** The names that may stand at a path of the file; none where any may, or none can. */
export function fieldsAt(path: readonly PropertyKey[]): string[] {
  let here = kinds(root());
  for (const step of path) here = here.flatMap((schema) => below(schema, step));
  return [...new Set(here.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

/** Every field, such as `services[].health.http.url`. */
export function allFields(): string[] {
  return [...new Set(fieldsOf(root(), ""))];
}

function root(): Schema {
  whole ??= z.toJSONSchema(sidecarConfig, { io: "input", unrepresentable: "any" });
  return whole;
}

/** A value may be one of several kinds; a schema that says nothing is none. */
function kinds(schema: unknown): Schema[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { anyOf = [] } = schema as Schema;
  return [schema as Schema, ...anyOf.flatMap(kinds)];
}

function below({ properties, items }: Schema, step: PropertyKey): Schema[] {
  return kinds(typeof step === "number" ? items : properties?.[String(step)]);
}

function fieldsOf(schema: unknown, path: string): string[] {
  return kinds(schema).flatMap(({ properties = {}, items }) => {
    const named = Object.entries(properties).flatMap(([name, inner]) => {
      const here = path === "" ? name : `${path}.${name}`;
      return [here, ...fieldsOf(inner, here)];
    });
    return [...named, ...fieldsOf(items, `${path}[]`)];
  });
}
